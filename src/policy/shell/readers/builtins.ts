/** Shell builtins that change nothing but the state of this one command line. */
import { because } from '../../reasons.js';
import { code } from '../code.js';
import { only, type ShellWord, type Simple } from '../types.js';
import { no, type Reading, reads } from './reader.js';

/** Variables that change what later commands do or where they look. */
const HAZARD_NAMES =
  /^(PATH|IFS|ENV|HOME|PWD|OLDPWD|CDPATH|GLOBIGNORE|SHELLOPTS|BASHOPTS|PS\d|PROMPT_.*|PAGER|MANPAGER|MANOPT|EDITOR|VISUAL|BROWSER|SHELL|TMPDIR|TERMINFO.*|GCONV_PATH|LOCPATH|NLSPATH|POSIXLY_CORRECT|HOSTALIASES|KUBECONFIG|MAIL.*|OPTIND|TAR_OPTIONS|GZIP|XZ_.*|ZIPOPT|UNZIP)$/;
const HAZARD_PARTS =
  /^(LD_|DYLD_|BASH|GIT_|SSH_|LESS|MAN|PYTHON|PERL|RUBY|GEM_|BUNDLE_|NODE|NPM_|YARN_|BUN_|DENO_|JAVA|JDK_|MAVEN_|GRADLE_|CARGO_|RUST(C|FLAGS|DOC|UP)|GO[A-Z]|CGO_|CC|CXX|AR|DOCKER_|AWS_|GOOGLE_|AZURE_|CHATCLI_|GREP_|RIPGREP_|FZF_|BAT_|XDG_|SYSTEMD_|DBUS_|GTK_|QT_|AWK|GAWK|MALLOC_|GLIBC_|PKG_|MAKE)|_(PAGER|EDITOR|OPTS|OPTIONS|FLAGS|PROXY|PRELOAD|STARTUP)$/i;
/** Harmless in the environment of any command. */
const PLAIN_NAMES =
  /^(NODE_ENV|RAILS_ENV|RACK_ENV|APP_ENV|FLASK_ENV|CI|DEBUG|VERBOSE|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|RUST_BACKTRACE|RUST_LOG|LOG_LEVEL|GOOS|GOARCH|PORT|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|FORCE_TTY|CYPRESS_CACHE_FOLDER)$/;

/** Does setting this variable change more than a value of the script? `exported`: it goes to a command's environment. */
export function isHazardousName(name: string, exported: boolean): boolean {
  if (PLAIN_NAMES.test(name)) return false;
  if (HAZARD_NAMES.test(name) || HAZARD_PARTS.test(name)) return true;
  return exported;
}

/** Language, time zone and terminal name files that programs load: a plain name stays in the system's folders. */
export function leadsElsewhere(assign: { readonly name: string; readonly text: string }): boolean {
  const value = assign.text.slice(assign.name.length);
  if (/^(LANG|LANGUAGE|LC_[A-Z]+|TERM)$/.test(assign.name)) return /[/$`\\]/.test(value);
  return assign.name === 'TZ' && (/^\+?=["']?:?\//.test(value) || /\.\.|[$`\\]/.test(value));
}

const STATEMENTS = new Set(['exit', 'return', 'break', 'continue', 'shift']);
const SET_OPTIONS = /^[-+]([euxfvn]+|[euxf]*o)$/;
const SET_NAMES = new Set(['pipefail', 'errexit', 'nounset', 'xtrace', 'noglob']);

/** A reading of a builtin; undefined for everything else. */
export function readBuiltin(name: string, simple: Simple): Reading | undefined {
  const args = simple.words.slice(1);
  const texts = args.map((word) => only(word));
  if (STATEMENTS.has(name))
    return texts.every((text) => text !== undefined && /^\d*$/.test(text)) || isStatus(args)
      ? reads([])
      : no(because`the argument of ${code(name)} is only known when it runs`);
  if (name === 'cd') return reads(args.filter((word) => !/^-[LPe@]+$|^--$/.test(only(word) ?? '')));
  if (name === 'set') return readSet(texts);
  if (name === 'read') return readRead(texts);
  if (name === 'export' || name === 'local' || name === 'declare' || name === 'typeset' || name === 'readonly')
    return readDeclare(name, args);
  if (name === 'unset')
    return texts.every((text) => text !== undefined && /^[a-z_][a-z0-9_]*$/.test(text))
      ? reads([])
      : no(because`\`unset\` may evaluate its argument or remove a variable others need`);
  if (name === 'ulimit' || name === 'umask')
    return texts.every((text) => text !== undefined && /^-[aSHcdflmnpstuv]+$/.test(text))
      ? reads([])
      : no(because`${code(name)} with a value changes limits`);
  if (name === 'wait')
    return texts.every((text, index) =>
      text === undefined ? isJob(args[index]) : /^(-[fn]+|%?[\w+%-]+)$/.test(text) && !/^-.*p/.test(text),
    )
      ? reads([])
      : no(because`\`wait -p\` sets a variable`);
  if (name === 'times' || name === 'jobs' || name === 'dirs')
    return args.length === 0 ? reads([]) : no(because`${code(name)} with arguments is not known to only read`);
  if (name === 'kill')
    return (texts.length === 1 && texts[0] === '-l') || (texts[0] === '-0' && texts.length === 2)
      ? reads([])
      : no(because`\`kill\` sends a signal`);
  return undefined;
}

function isJob(word: ShellWord | undefined): boolean {
  return /^"?\$\{?!\}?"?$/.test(word?.source ?? '');
}

function isStatus(args: readonly ShellWord[]): boolean {
  return args.length === 1 && /^"?\$\{?\?\}?"?$/.test(args[0]?.source ?? '');
}

function readSet(texts: readonly (string | undefined)[]): Reading {
  const fine =
    texts.length > 0 &&
    texts.every(
      (text, index) =>
        text !== undefined && (SET_OPTIONS.test(text) || (SET_NAMES.has(text) && /^[-+]\w*o$/.test(texts[index - 1] ?? ''))),
    );
  return fine ? reads([]) : no(because`\`set\` changes the arguments or options of the shell`);
}

function readRead(texts: readonly (string | undefined)[]): Reading {
  let skip = false;
  for (const text of texts) {
    if (text === undefined) return no(because`the name \`read\` sets is only known when it runs`);
    if (skip || /^-[rs]+$/.test(text)) skip = false;
    else if (/^-r?[dnptu]$/.test(text)) skip = true;
    else if (!/^[a-z_][a-z0-9_]*$/.test(text)) return no(because`${code(`read ${text}`)} is not known to only read`);
  }
  return reads([]);
}

function readDeclare(name: string, args: readonly ShellWord[]): Reading {
  for (const word of args) {
    const match = /^([A-Za-z_][A-Za-z0-9_]*)(\+?=|$)/.exec(word.prefix);
    const text = only(word);
    if (text !== undefined && /^-[xrpgf]+$/.test(text) && name !== 'local') continue;
    if (!match) return no(because`the name ${code(name)} sets is only known when it runs`);
    if (isHazardousName(match[1] ?? '', name === 'export' || args.some((other) => /^-\w*x/.test(other.source))))
      return no(because`${code(name)} sets ${match[1] ?? ''}, which changes what commands do`);
  }
  return reads([]);
}
