/** Opens wrappers: the commands and scripts that a command runs in its turn. */

import { because } from '../reasons.js';
import { derive } from './build-simple.js';
import { code } from './code.js';
import { inlineCommands } from './inline.js';
import { optionSet, scanOptions } from './options.js';
import { no, type Reading, reads } from './readers/reader.js';
import { only, possible, type ShellAssign, type ShellEnv, type ShellWord, type Simple, unknownWord } from './types.js';
import { unwrapContainer, unwrapSsh } from './unwrap-away.js';
import { unwrapFind, unwrapGit, unwrapXargs } from './unwrap-tools.js';
import { type Script, scriptsOf, startOf, type Unwrapped } from './unwrapped.js';
import type { Start } from './walk.js';
import { BASH_LIKE, baseName, SHELLS, WRAPPERS, type Wrapper } from './wrapper-list.js';

/** The commands inside a command; undefined when it is no wrapper. */
export function unwrap(simple: Simple, env: ShellEnv): Unwrapped | undefined {
  const full = only(simple.words[0]);
  if (full === undefined) return undefined;
  const name = baseName(full);
  // A wrapper of one's own may do anything besides.
  const found = open(name, simple, env);
  if (!found || !full.includes('/') || /^(\/usr(\/local)?)?\/s?bin\//.test(full)) return found;
  return {
    ...found,
    self: found.self.ok ? no(because`${code(full)} is a program of its own, not one of the system's`) : found.self,
  };
}

function open(name: string, simple: Simple, env: ShellEnv): Unwrapped | undefined {
  if (SHELLS.has(name)) return unwrapShell(name, simple);
  switch (name) {
    case 'env':
    case 'genv':
      return unwrapEnv(simple);
    case 'command':
      return unwrapCommand(simple);
    case 'eval':
      return unwrapEval(simple);
    case 'trap':
      return unwrapTrap(simple);
    case 'xargs':
    case 'gxargs':
      return unwrapXargs(simple, env);
    case 'parallel':
      return unwrapParallel(simple);
    case 'find':
    case 'gfind':
    case 'fd':
    case 'fdfind':
      return unwrapFind(name, simple, env);
    case 'git':
      return unwrapGit(simple);
    case 'ssh':
    case 'mosh':
      return unwrapSsh(simple);
    case 'docker':
    case 'podman':
    case 'nerdctl':
    case 'kubectl':
    case 'oc':
      return unwrapContainer(name, simple, env);
    default: {
      if (/^ld(-linux|-musl)?[\w.-]*\.so/.test(name) || /^ld-/.test(name))
        return unwrapPrefix(name, simple, { kind: 'ask', valued: '--library-path --preload --argv0' });
      const wrapper = WRAPPERS.get(name);
      return wrapper ? unwrapPrefix(name, simple, wrapper) : unwrapInline(name, simple);
    }
  }
}

function unwrapPrefix(name: string, simple: Simple, wrapper: Wrapper): Unwrapped | undefined {
  let args = simple.words.slice(1);
  if (wrapper.subs) {
    const at = args.findIndex((word) => wrapper.subs?.includes(only(word) ?? ''));
    if (at < 0) return undefined;
    args = args.slice(at + 1);
  }
  const scan = scanOptions(args, { valued: optionSet(wrapper.valued), stop: true });
  const scripts: Script[] = [];
  const changes = wrapper.away ? { away: true } : {};
  for (const option of scan.options)
    if (optionSet(wrapper.script).has(option.name)) scripts.push(...scriptsOf(option.value, startOf(simple, name, changes)));
  let words = scan.operands.filter((word, index) => !(index === 0 && only(word) === '-'));
  let assigns: readonly ShellAssign[] = [];
  if (wrapper.assigns) [assigns, words] = takeAssigns(words);
  words = words.slice(wrapper.skip ?? 0);
  if (wrapper.assigns && assigns.length === 0) [assigns, words] = takeAssigns(words);
  const late = words.findIndex((word) => optionSet(wrapper.script).has(only(word) ?? ''));
  if (late >= 0) scripts.push(...scriptsOf(words[late + 1], startOf(simple, name, changes)));
  if (wrapper.joined && words.length > 0) {
    scripts.push(...joinedScripts(words, startOf(simple, name, changes)));
    words = [];
  }
  const inner = words.length > 0 ? [derive(simple, words, name, { ...changes, assigns })] : [];
  return {
    inner,
    scripts,
    self: selfReading(
      name,
      wrapper,
      scan.options.map((option) => option.name),
      inner.length + scripts.length,
    ),
    opaque:
      scan.unclear !== undefined && inner.length === 0 ? because`what ${code(name)} runs is only known when it runs` : undefined,
    immune: wrapper.kind === 'immune' ? because`${code(name)} runs a command with the rights of another user` : undefined,
  };
}

function selfReading(name: string, wrapper: Wrapper, options: readonly string[], count: number): Reading {
  if (wrapper.kind !== 'plain') return no(because`${code(name)} runs another program in its own way`);
  if (count === 0)
    return no(
      name === 'exec'
        ? because`\`exec\` changes where the shell reads and writes`
        : because`${code(name)} without a command is not known to only read`,
    );
  const fine = optionSet(wrapper.fine);
  const other = options.find((option) => !fine.has(option));
  return other ? no(because`${code(`${name} ${other}`)} is not known to be harmless`) : reads([]);
}

/** Strings of a program on the line, which it may run as commands. */
function unwrapInline(name: string, simple: Simple): Unwrapped | undefined {
  const texts = inlineCommands(name, simple);
  if (texts.length === 0) return undefined;
  const start = startOf(simple, name, { piped: [], stdin: undefined });
  return {
    inner: [],
    scripts: texts.map((text) => ({ text, start, perhaps: true })),
    self: no(because`${code(name)} runs a program given on the line`),
    mentions: true,
  };
}

/** `NAME=value` words in front. */
function takeAssigns(words: readonly ShellWord[]): [ShellAssign[], ShellWord[]] {
  const at = words.findIndex((word) => !/^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(word.prefix));
  const count = at < 0 ? words.length : at;
  const assigns = words
    .slice(0, count)
    .map((word) => ({ name: word.prefix.slice(0, word.prefix.search(/\+?=/)), text: word.source }));
  return [assigns, words.slice(count)];
}

function unwrapEnv(simple: Simple): Unwrapped {
  const scan = scanOptions(simple.words.slice(1), {
    valued: optionSet('-u --unset -C --chdir -S --split-string -P'),
    stop: true,
  });
  const [assigns, words] = takeAssigns(scan.operands.filter((word) => only(word) !== '-'));
  const start = startOf(simple, 'env');
  const rest = words.map((word) => word.source).join(' ');
  const scripts = scan.options
    .filter((option) => /^(-S|--split-string)$/.test(option.name))
    .flatMap((option) => (option.value ? possible(option.value) : []).map((text) => ({ text: `${text} ${rest}`, start })));
  const other = scan.options.find((option) => !/^-[iu0]$|^--(ignore-environment|unset|null)$/.test(option.name));
  const hidden = scan.operands.length > 0 && scan.unclear !== undefined && words.length === 0;
  return {
    inner: words.length > 0 && scripts.length === 0 ? [derive(simple, words, 'env', { assigns })] : [],
    scripts,
    self: other ? no(because`${code(`env ${other.name}`)} is not known to be harmless`) : reads([]),
    opaque: hidden ? because`what \`env\` runs is only known when it runs` : undefined,
  };
}

function unwrapCommand(simple: Simple): Unwrapped {
  const scan = scanOptions(simple.words.slice(1), { stop: true });
  const looks = scan.options.some((option) => option.name === '-v' || option.name === '-V');
  const inner = !looks && scan.operands.length > 0 ? [derive(simple, scan.operands, 'command')] : [];
  return {
    inner,
    scripts: [],
    self: scan.options.every((option) => /^-[pvV]$/.test(option.name))
      ? reads([])
      : no(because`an option of \`command\` is not known`),
  };
}

function unwrapEval(simple: Simple): Unwrapped {
  const words = simple.words.slice(1).filter((word, index) => !(index === 0 && only(word) === '--'));
  const hidden = words.some((word) => only(word) === undefined);
  return {
    inner: [],
    scripts: joinedScripts(words, startOf(simple, 'eval')),
    self: no(because`\`eval\` runs text as a command`),
    immune: hidden ? because`\`eval\` runs text that is only known when it runs` : undefined,
    opaque: hidden ? because`\`eval\` runs text that is only known when it runs` : undefined,
  };
}

function joinedScripts(words: readonly ShellWord[], start: Start): Script[] {
  const texts = words.map((word) => possible(word)[0]);
  const whole = texts.map((text, index) => text ?? words[index]?.source ?? '').join(' ');
  return whole.trim() === '' ? [] : [{ text: whole, start }];
}

function unwrapTrap(simple: Simple): Unwrapped {
  const words = simple.words.slice(1).filter((word) => !/^-[lp]$|^--$/.test(only(word) ?? ''));
  const text = only(words[0]);
  const runs = words.length > 1 && text !== '-' && text !== '';
  return {
    inner: [],
    scripts: runs ? scriptsOf(words[0], startOf(simple, 'trap', { piped: [], stdin: undefined })) : [],
    self: no(because`\`trap\` changes what happens on a signal`),
    opaque: runs && text === undefined ? because`what \`trap\` runs is only known when it runs` : undefined,
  };
}

/** `parallel CMD {} ::: args`: the arguments are words of the command. */
function unwrapParallel(simple: Simple): Unwrapped {
  const words = simple.words.slice(1);
  const at = words.findIndex((word) => /^:::+\+?$/.test(only(word) ?? ''));
  const head = at < 0 ? words : words.slice(0, at);
  const given = at < 0 ? [] : words.slice(at + 1);
  const scan = scanOptions(head, {
    valued: optionSet('-j --jobs -a --arg-file -N -n -L -I --colsep --delay --timeout --joblog --results -S'),
    stop: true,
  });
  const tail = given.length > 0 ? given : [unknownWord('{}')];
  const inner = scan.operands.length > 0 ? [derive(simple, [...scan.operands, ...tail], 'parallel')] : [];
  const start = startOf(simple, 'parallel');
  const scripts =
    scan.operands.length > 0
      ? joinedScripts([...scan.operands, ...tail.slice(0, 1)], start)
      : given.flatMap((word) => scriptsOf(word, start));
  return { inner, scripts, self: no(because`\`parallel\` runs other programs`) };
}

/** sh -c TEXT; sh FILE; sh reading its input. */
function unwrapShell(name: string, simple: Simple): Unwrapped {
  const scan = scanOptions(simple.words.slice(1), {
    valued: optionSet('-o -O +o +O --rcfile --init-file'),
    plus: true,
    stop: true,
  });
  const gives = scan.options.some((option) => option.name === '-c' || /^--?(command|Command|EncodedCommand)$/.test(option.name));
  const start = startOf(simple, name);
  const reason = because`${code(name)} runs a script`;
  if (scan.unclear !== undefined && !gives)
    return {
      inner: [],
      scripts: scriptsOf(scan.operands[0], start),
      self: no(reason),
      opaque: because`what ${code(name)} runs is only known when it runs`,
    };
  if (!gives) return unwrapShellInput(name, simple, scan.operands);
  // Options may also follow -c.
  const after = scanOptions(scan.operands, { valued: optionSet('-o -O'), stop: true });
  const [script, ...args] = after.operands;
  const hidden = script === undefined || only(script) === undefined;
  const plain =
    BASH_LIKE.has(name) &&
    [...scan.options, ...after.options].every(
      (option) =>
        /^-[ceuxf]$/.test(option.name) || (option.name === '-o' && /^(pipefail|errexit|nounset)$/.test(only(option.value) ?? '')),
    );
  return {
    inner: [],
    scripts: scriptsOf(script, { ...start, positional: positionalOf(args) }),
    self: plain ? reads([]) : no(reason),
    opaque: hidden ? because`what ${code(name)} runs is only known when it runs` : undefined,
  };
}

function positionalOf(args: readonly ShellWord[]): ReadonlyMap<string, readonly string[]> {
  const entries: [string, readonly string[]][] = args.map((word, index) => [String(index), possible(word)]);
  const all = args.slice(1).flatMap((word) => possible(word));
  return new Map([...entries, ['@', all], ['*', all]]);
}

function unwrapShellInput(name: string, simple: Simple, operands: readonly ShellWord[]): Unwrapped {
  const file = only(operands[0]);
  const takesInput = operands.length === 0 || file === '-' || file === '/dev/stdin' || file === '/dev/fd/0';
  const start = startOf(simple, name, { piped: [], stdin: undefined });
  const texts = takesInput ? (simple.stdin ?? []) : [];
  return {
    inner: [],
    scripts: texts.map((text) => ({ text, start })),
    self: no(because`${code(name)} runs a script`),
    opaque:
      takesInput && texts.length === 0 && simple.piped.length > 0
        ? because`what ${code(name)} runs comes from another command`
        : undefined,
  };
}
