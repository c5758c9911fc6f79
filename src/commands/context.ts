/** `/context`: what fills the window of the model. */
import type { Command } from '../types/command.js';
import type { WindowPart } from '../types/command-ports.js';

const BAR = 20;
const KINDS: Readonly<Record<WindowPart['kind'], string>> = {
  system: 'context.system',
  tools: 'context.tools',
  person: 'context.person',
  answers: 'context.answers',
  reasoning: 'context.reasoning',
  calls: 'context.calls',
  results: 'context.results',
  notes: 'context.notes',
  images: 'context.images',
};

export const context: Command = {
  name: 'context',
  aliases: [],
  summary: 'command.context',
  group: 'session',
  run(_words, { window, number = String, print, t }) {
    if (!window) return print(t('command.notHere'));
    const { model, size, parts, measured } = window();
    const used = parts.reduce((sum, { tokens }) => sum + tokens, 0);
    const names = new Map(parts.map((part) => [part, t(KINDS[part.kind], { count: part.count })]));
    const free = t('context.free');
    const width = Math.max(free.length, ...[...names.values()].map((name) => name.length));
    const digits = Math.max(...[...parts.map(({ tokens }) => tokens), size].map((tokens) => number(tokens).length));
    const row = (name: string, tokens: number) => {
      const share = Math.min(1, tokens / size);
      const bar = '#'.repeat(Math.round(share * BAR)).padEnd(BAR, '.');
      return `  ${name.padEnd(width)}  ${bar}  ${number(tokens).padStart(digits)} (${number(100 * share, share < 0.1 ? 1 : 0)} %)`;
    };
    print(
      [
        t('context.title', { model, size: number(size), used: number(used) }),
        ...parts.filter(({ tokens }) => tokens > 0).map((part) => row(names.get(part) ?? '', part.tokens)),
        row(free, Math.max(0, size - used)),
        ...(measured === undefined ? [] : [t('context.measured', { tokens: number(measured) })]),
        t('context.estimate'),
      ].join('\n'),
    );
  },
};
