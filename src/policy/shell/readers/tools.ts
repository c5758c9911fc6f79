/** Development and container tools: the few subcommands that only read, with the options known to be harmless. */
import type { Reason } from '../../../types/policy.js';
import { because } from '../../reasons.js';
import { code } from '../code.js';
import { optionSet, scanOptions } from '../options.js';
import { only, possible, type ShellWord, type Simple } from '../types.js';
import { no, perhapsFiles, type Reading, reads } from './reader.js';

interface ToolReader {
  /** Subcommands that only read; several words are joined by a blank. */
  readonly subs: readonly string[];
  readonly fine?: string;
  readonly valued?: string;
  readonly check?: (
    sub: string,
    operands: readonly ShellWord[],
    options: ReadonlySet<string>,
    values: readonly string[],
  ) => Reason | undefined;
}

/**
 * Programs whose `--version` says nothing but a number. Those a repository can put in their own place are missing: yarn and
 * pnpm (yarnPath, packageManager), rustc and cargo (rust-toolchain), mvn (jvm.config), dotnet (global.json), and their like.
 */
const VERSIONED = optionSet(
  'node npm npx python python3 pip pip3 ruby gem perl php java javac go gcc g++ cc c++ clang clang++ make cmake ninja git docker kubectl helm terraform deno bun tsc rg jq fd curl wget tar zip unzip sed awk grep bash sh zsh fish vim nvim code gh aws gcloud az psql mysql sqlite3 redis-cli elixir lua R julia ffmpeg openssl ssh uname ls cat find sort systemctl',
);
const VERSION_WORDS = new Set(['--version', '-V', '-version', 'version']);

/** `node -v`, `cargo --version`: one word that can only print a version. */
export function readVersion(simple: Simple): Reading | undefined {
  const name = only(simple.words[0]) ?? '';
  const words = simple.words.slice(1).map((word) => only(word));
  const [word] = words;
  if (words.length !== 1 || word === undefined || !VERSIONED.has(name)) return undefined;
  const short = word === '-v' && /^(node|npm|ruby|php|perl|java|gcc|clang)$/.test(name);
  if (word === '-V' && !/^(python3?|rg|ruby|ssh|make|curl|wget|pip3?|psql)$/.test(name)) return undefined;
  if (word === 'version' && !/^(go|docker|npm|helm|terraform|git|openssl)$/.test(name)) return undefined;
  if (word === '-version' && !/^(java|javac|ffmpeg)$/.test(name)) return undefined;
  return short || VERSION_WORDS.has(word) ? reads([]) : undefined;
}

const NPM: ToolReader = {
  subs: [
    'ls',
    'list',
    'la',
    'll',
    'view',
    'info',
    'show',
    'search',
    'outdated',
    'root',
    'prefix',
    'explain',
    'why',
    'config get',
    'config list',
    'config ls',
    'pkg get',
    'query',
    'run',
    'run-script',
  ],
  fine: '--json --all -a --long -l --parseable -p -g --global --prod --production --dev --silent -s --link --workspaces',
  valued: '--depth --omit --include --only -w --workspace',
  check: (sub, operands) => {
    if (/^run/.test(sub) && operands.length > 0) return because`${code(`npm ${sub}`)} with a name runs a script of the project`;
    return /^(view|info|show|search)$/.test(sub) &&
      operands.some(
        (word) => !/^[@\w.^~<>=*|\- ]+(\/[\w.@^~<>=*|\- ]+)?$/.test(only(word) ?? '') || /^[^@/]+\//.test(only(word) ?? ''),
      )
      ? because`${code(`npm ${sub}`)} with an address fetches a repository`
      : undefined;
  },
};
const DOCKER: ToolReader = {
  subs: [
    'ps',
    'images',
    'inspect',
    'logs',
    'info',
    'version',
    'stats',
    'top',
    'port',
    'history',
    'diff',
    'network ls',
    'network inspect',
    'volume ls',
    'volume inspect',
    'container ls',
    'container inspect',
    'container logs',
    'container ps',
    'image ls',
    'image inspect',
    'image history',
    'context ls',
    'system df',
    'system info',
    'compose ls',
  ],
  fine: '-a --all -q --quiet --no-trunc -s --size -t --timestamps --details --no-stream --digests --human -H -v --verbose --latest',
  valued: '--format --filter -n --tail --since --until --last --type',
  check: (sub, _operands, options) =>
    sub === 'stats' && !options.has('--no-stream') ? because`\`docker stats\` never ends` : undefined,
};
const KUBECTL: ToolReader = {
  subs: [
    'get',
    'describe',
    'logs',
    'top',
    'version',
    'explain',
    'cluster-info',
    'api-resources',
    'api-versions',
    'config view',
    'config get-contexts',
    'config current-context',
    'config get-clusters',
  ],
  fine: '-A --all-namespaces --show-labels --no-headers -p --previous --timestamps --client --short --minify --recursive --all-containers --wide',
  valued:
    '-n --namespace -o --output -l --selector --tail --since -c --container --sort-by --field-selector -L --api-group --context',
  check: (sub, operands, _options, values) => {
    if (values.some((text) => /-file=/.test(text))) return because`\`kubectl\` reads a template from a file`;
    if (operands.some((word) => word.unknown || word.values.some((text) => /(^|,)secrets?\b/i.test(text))))
      return because`\`kubectl\` may show secrets`;
    return sub === 'cluster-info' && operands.length > 0
      ? because`\`kubectl cluster-info dump\` is not a plain reading`
      : undefined;
  },
};
const TOOLS: Readonly<Record<string, ToolReader>> = {
  npm: NPM,
  docker: DOCKER,
  podman: DOCKER,
  kubectl: KUBECTL,
  go: {
    subs: ['version', 'env', 'list', 'doc', 'vet', 'help', 'mod graph', 'mod why'],
    fine: '-json -m -deps -test -e -find -all -u -src -short -cmd -changed -v -versions -retracted',
    valued: '-f',
    check: (sub, operands, options) =>
      options.has('-u') && sub !== 'doc'
        ? because`${code(`go ${sub} -u`)} changes settings or asks the network`
        : operands.some((word) => (only(word) ?? '=').includes('=') && sub === 'env')
          ? because`\`go env\` with a value changes settings`
          : undefined,
  },
  pip: {
    subs: ['list', 'show', 'freeze', 'check'],
    fine: '-l --local --user -o --outdated -u --uptodate -f --files -e --editable --not-required -v --verbose -q',
    valued: '--format --exclude',
  },
  systemctl: {
    subs: ['status', 'is-active', 'is-enabled', 'is-failed', 'list-units', 'list-unit-files', 'list-timers', 'show'],
    fine: '--no-pager --all -a --failed -l --full --user --system -q --quiet --plain --no-legend',
    valued: '-t --type --state -p --property -n --lines',
  },
  gh: {
    subs: 'pr view,pr list,pr diff,pr checks,pr status,issue view,issue list,issue status,run list,run view,repo view,repo list,release view,release list,workflow list,workflow view,label list,search issues,search prs,search repos,search code,auth status,version'.split(
      ',',
    ),
    fine: '-c --comments -a --all -o --draft --log --log-failed --name-only --patch --required --exit-status --archived --fork --verbose -v --yaml',
    valued:
      '-R --repo --json -q --jq -t --template -L --limit -s --state -S --search -A --author -l --label -B --base -H --head -w --workflow -b --branch -j --job -m --milestone --assignee --app --color --sort --order --owner --language --visibility -r --ref --event --status --user -u --commit',
    check: (sub, _operands, options) =>
      (sub === 'auth status' && options.size > 0) || options.has('--web') || (options.has('-w') && !/^(run|workflow)/.test(sub))
        ? because`${code(`gh ${sub}`)} with this option does more than read`
        : undefined,
  },
  brew: { subs: ['list', '--prefix', '--cellar', 'config'], fine: '--versions --formula --cask -1' },
};

/** A reading of one of these tools; undefined for other programs. */
export function readTool(name: string, simple: Simple): Reading | undefined {
  const reader = name === 'pip3' ? TOOLS['pip'] : Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (!reader) return undefined;
  const args = simple.words.slice(1);
  const depth = subDepth(reader, args);
  if (depth === undefined) return no(because`${code(`${name} ${args[0]?.source ?? ''}`)} is not known to only read`);
  const { sub, rest } = depth;
  const single = name === 'go';
  const scan = scanOptions(rest, { valued: optionSet(reader.valued), singleDash: single });
  if (scan.unclear !== undefined) return no(because`an option of ${code(name)} may hide in ${scan.unclear}`);
  const fine = optionSet(`${reader.fine ?? ''} ${reader.valued ?? ''}`);
  const every = scanOptions(rest, { attached: optionSet(reader.valued), singleDash: single }).options;
  for (const option of [...scan.options, ...every])
    if (!fine.has(option.name)) return no(because`${code(`${name} ${sub} ${option.name}`)} is not known to only read`);
  const values = scan.options.map((option) => only(option.value) ?? '');
  const fault = reader.check?.(sub, scan.operands, new Set(scan.options.map((option) => option.name)), values);
  if (fault !== undefined) return no(fault);
  const named = perhapsFiles(rest, [scan], optionSet('-f --format --filter --template -t -q --jq -l --selector -S --search'));
  return reads([], true, [...named, ...scan.operands.flatMap((word) => possible(word))]);
}

function subDepth(reader: ToolReader, args: readonly ShellWord[]): { sub: string; rest: readonly ShellWord[] } | undefined {
  const one = only(args[0]);
  if (one === undefined) return undefined;
  const two = `${one} ${only(args[1]) ?? ''}`;
  if (reader.subs.includes(two)) return { sub: two, rest: args.slice(2) };
  return reader.subs.includes(one) ? { sub: one, rest: args.slice(1) } : undefined;
}
