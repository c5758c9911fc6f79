/** Which settings make git run a program, or lead to settings that may: one list for everybody who judges a repository. */
import { type ConfigEntry, isSwitch } from './git-config.js';

/** Of commands that only read too. Subsections may hold any text. */
const READING =
  /^(core\.(sshcommand|gitproxy|alternaterefscommand|askpass)|diff\.external|diff\..*\.(command|textconv)|filter\..*\.(clean|smudge|process)|interactive\.difffilter|alias\..+|gpg\.(.*\.)?(program|defaultkeycommand)|include\.path|includeif\..*\.path|credential\.(.*\.)?helper|hook\..*\.command|merge\..*\.driver|protocol\.(.*\.)?allow|remote\..*\.(uploadpack|receivepack|vcs)|trailer\..*\.(command|cmd))$/s;

/** Of commands that write, fetch, send or show. */
const OTHERS =
  /^(core\.(hookspath|editor)|sequence\.editor|(difftool|mergetool|browser|man|guitool)\..*\.(cmd|path)|init\.templatedir|instaweb\.httpd|imap\.(.*\.)?tunnel|sendemail\.(.*\.)?smtpserver|uploadpack\.packobjectshook|lfs\.(customtransfer|extension)\..*)$/s;

/** How keys that hold a program tend to end, those of git's helpers and of later versions too. */
const ENDINGS = /(command|cmd|program|helper|driver|editor|pager|textconv|askpass|hook)$/;

/** Can a setting make a git command that only reads run a program? `key` as the parser gives it. */
export function runsOnReading(key: string): boolean {
  return READING.test(key);
}

/** Can a setting make any git command run a program? Git's own monitor and a plain yes or no do not. */
export function runsSometime({ key, value }: ConfigEntry): boolean {
  if (key === 'core.fsmonitor') return !isSwitch(value);
  if (key === 'core.pager' || key.startsWith('pager.')) return !isSwitch(value) && value !== 'cat';
  // Nothing named: it takes back what was named before.
  if (value === '' && /^credential\.(.*\.)?helper$/s.test(key)) return false;
  if (/^submodule\..*\.update$/s.test(key)) return value?.startsWith('!') === true;
  const name = key.slice(key.lastIndexOf('.') + 1);
  return READING.test(key) || OTHERS.test(key) || ENDINGS.test(name);
}
