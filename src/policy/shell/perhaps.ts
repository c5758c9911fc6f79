/** What a command may run although it is no plain wrapper: only what always asks or is refused counts of it. */
import { derive } from './build-simple.js';
import { isHazardousName } from './readers/builtins.js';
import { readingOf } from './readers/registry.js';
import { only, possible, type ShellWord, type Simple } from './types.js';
import { type Script, startOf } from './unwrapped.js';
import { baseName, SHELLS } from './wrapper-list.js';

export interface Perhaps {
  readonly inner: readonly Simple[];
  readonly scripts: readonly Script[];
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Run the program that stands somewhere among their words. */
const RUNNERS = set(
  'npx bunx uvx fakechroot catchsegv setarch i386 i486 i586 i686 x86_64 uname26 arch chpst setuidgid softlimit envdir envuidgid setlock daemon ' +
    'daemonize start-stop-daemon cgexec numactl hugectl schedtool choom uclampset coreutils eatmydata faketime torsocks torify tsocks proxychains ' +
    'proxychains4 bwrap nsjail sandbox-exec xcrun lldb heaptrack rr cmake ifne nq tsp retry sem onchange reflex watchexec infisical aws-vault chamber ' +
    'systemd-cat systemd-inhibit dtach abduco gcc g++ clang cc expect teller sops ld.so zellij runcon firejail unshare cpulimit prlimit',
);
/** Run one only behind such a word. */
const RUNS_BEHIND: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  'npm:exec,x,explore pnpm:exec,dlx yarn:exec,dlx bun:x uv:run,tool pipx:run volta:run fnm:exec nvm:exec,run rustup:run pixi:run,exec micromamba:run cargo:watch nix:run,develop,shell guix:shell,environment corepack:npm,pnpm,yarn mise:exec,x'
    .split(' ')
    .map((entry) => [entry.replace(/:.*/, ''), set(entry.replace(/.*:/, '').replaceAll(',', ' '))]),
);
/** The same, elsewhere: local paths mean nothing there. */
const RUNNERS_AWAY = set(
  'docker-compose podman-compose flatpak-spawn flatpak toolbox distrobox lxc incus lxc-attach vagrant multipass machinectl systemd-nspawn ctr crictl wsl limactl colima minikube helm',
);
/** Take a command, or a program with one in it, as one word. */
const SCRIPTED = set(
  'npx npm pnpm hyperfine pee mispipe concurrently cross-env-shell start-server-and-test chokidar cargo reflex rsync scp sftp tar bsdtar zip vim nvim vi vimdiff ' +
    'ex view ed emacs less more most man bat batcat psql mysql mariadb sqlite3 make gmake java dpkg apt apt-get aptitude yum dnf tcpdump screen tmux zellij expect gdb lldb ' +
    'R elixir groovy tclsh wish awk gawk mawk nawk sed gsed go sort rg complete compgen mapfile readarray alias crontab at batch source . sops wget cmd powershell pwsh ' +
    'declare typeset local export readonly read unset let wsl capsh vagrant xterm gnome-terminal konsole kitty alacritty nodemon watchexec entr ansible nix-shell gcc clang pip pip3',
);
const GIT_SCRIPTED = set(
  'clone fetch pull push config grep ls-remote archive rebase difftool mergetool filter-branch remote submodule',
);
const MOST = 16;

/** Everything a command may run besides what its wrapper is known to. */
export function perhapsOf(simple: Simple): Perhaps {
  const name = nameOf(simple);
  // What only reads runs nothing, whatever its words say; its surroundings still count.
  const reads = readingOf(simple).ok;
  const start = startOf(simple, name || 'it', { piped: [], stdin: undefined });
  const texts = [
    ...settings(simple),
    ...(!reads && takesScripts(name, simple) ? [...simple.words.slice(1).flatMap(possible), ...fed(simple)] : []),
  ];
  const scripts = [...new Set(texts.slice(0, 60).flatMap(readings))].map((text) => ({ text, start, perhaps: true }));
  return { inner: reads ? [] : suffixes(name, simple), scripts };
}

/** Values of variables that name programs: `GIT_PAGER='…' git log`. */
function settings(simple: Simple): string[] {
  const assigned = simple.assigns.filter((assign) => isHazardousName(assign.name, false));
  const given = simple.words.flatMap(possible).filter((text) => isHazardousName(/^(\w+)=/.exec(text)?.[1] ?? '', false));
  return [...assigned.flatMap(({ word, text }) => (word ? possible(word) : [text])), ...given];
}

function takesScripts(name: string, simple: Simple): boolean {
  if (name === 'git') return simple.words.slice(1).some((word) => GIT_SCRIPTED.has(only(word) ?? ''));
  if (/^(test|\[|printf)$/.test(name)) return simple.words.some((word) => /\[\s*(\$\(|`)/.test(only(word) ?? ''));
  return SCRIPTED.has(name);
}

/** What `at`, `crontab -`, `source /dev/stdin` and their like read. */
function fed(simple: Simple): readonly string[] {
  return (simple.stdin ?? []).flatMap((text) => [text, ...text.split('\n').map(withoutTime)]);
}

/** A line of a table of timed jobs. */
function withoutTime(line: string): string {
  return line.replace(/^\s*(@\w+|([\d*,/-]+\s+){5})/, '').trim();
}

const QUOTED = /"((?:\\[\s\S]|[^"\\])*)"|'((?:\\[\s\S]|[^'\\])*)'|`([^`]*)`/g;

/** The commands that a text given as one word may hold: all of it, behind a sign or a name, in quotes. */
function readings(text: string): string[] {
  if (!/\s/.test(text) || text.length > 20_000) return [];
  const found = [text, text.replace(/^([^=\s]*=)+/, ''), text.replace(/^[\s:+\\.|]*!?\s*/, ''), text.replace(/^(-\w|ext::)/, '')];
  for (const match of text.matchAll(AFTER)) found.push((match[1] ?? match[2] ?? '').replace(/[)}"'\]]+$/, ''));
  for (const match of [...text.matchAll(QUOTED)].slice(0, 50))
    found.push(match.slice(1).find((group) => group !== undefined) ?? '');
  return [...new Set(found.map((one) => one.trim()).filter((one) => /\s/.test(one)))].slice(0, 40);
}

const AFTER = /(?:^|[\s\d/;:.(])(?:shell|system|spawn|exec|e|PROGRAM)[\s(]+([^\n]+)|[!;]([^\n]+)/g;

const PRINTS = set('echo printf cat read set tee');

/** Texts a line spells out that it may also run, when it holds a command that runs text: all of it counts perhaps. */
export function spelledScripts(simples: readonly Simple[]): readonly Script[] {
  const runner = simples.find((simple) => simple.words.length > 0 && runsText(simple));
  if (!runner) return [];
  const texts = simples.flatMap((simple) => {
    const words = simple.words.slice(1).flatMap((word) => possible(word).slice(0, 1));
    const own = PRINTS.has(nameOf(simple)) ? [...words, words.filter((word) => !word.startsWith('-')).join(' ')] : [];
    const assigned = simple.assigns.flatMap(({ name, text, word }) =>
      word ? possible(word) : [arrayText(text.slice(name.length + 1))],
    );
    return [...own, ...assigned, ...(simple.stdin ?? []), ...(RUNS_TEXT.has(nameOf(simple)) ? tailsOf(words) : [])];
  });
  const start = startOf(runner, 'perhaps', { piped: [], stdin: undefined });
  return [...new Set(texts.flatMap((text) => [text, withoutTime(text)]).filter((text) => /\s/.test(text)))]
    .slice(0, 100)
    .map((text) => ({ text, start, perhaps: true }));
}

/** Single words, then what stands from each word on; no more of either than `MOST` in all. */
function tailsOf(words: readonly string[]): readonly string[] {
  const single = words.slice(0, MOST);
  return [...single, ...single.slice(0, MOST - single.length).map((_word, at) => words.slice(at).join(' '))];
}

/** `(rm -rf /)` of an array. */
const arrayText = (text: string): string => text.replace(/^\(|\)$/g, '');
const nameOf = (simple: Simple): string => baseName(only(simple.words[0]) ?? '');
const RUNS_TEXT = new Set([...SHELLS, ...set('eval source . at batch crontab xargs parallel')]);

function runsText(simple: Simple): boolean {
  const first = only(simple.words[0]);
  return (
    first === undefined || RUNS_TEXT.has(baseName(first)) || (first.includes('/') && !/^(\/usr(\/local)?)?\/s?bin\//.test(first))
  );
}

/** The words from any place on, as a command. */
function suffixes(name: string, simple: Simple): Simple[] {
  const away = RUNNERS_AWAY.has(name);
  const behind = RUNS_BEHIND.get(name);
  if ((!away && !behind && !RUNNERS.has(name)) || simple.via.includes('perhaps')) return [];
  const sub = behind ? simple.words.findIndex((word) => behind.has(only(word) ?? '')) : 0;
  if (sub < 0) return [];
  const found: Simple[] = [];
  for (let at = sub + 1; at < Math.min(simple.words.length, MOST); at++) {
    const word = simple.words[at] as ShellWord;
    const glued = /^--?[\w-]+=(.+)$/.exec(only(word) ?? '')?.[1];
    const first = glued === undefined ? word : { ...word, values: [glued], prefix: glued, source: glued };
    if (glued === undefined && word.prefix.startsWith('-')) continue;
    found.push(derive(simple, [first, ...simple.words.slice(at + 1)], 'perhaps', away ? { away, cwd: undefined } : {}));
  }
  return found;
}
