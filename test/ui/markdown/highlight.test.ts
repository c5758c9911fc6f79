import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createHighlighter, type Grammar, type Highlighter } from '../../../src/ui/markdown/highlight.js';
import { createMarkdown } from '../../../src/ui/markdown/markdown.js';
import type { Span } from '../../../src/ui/markdown/spans.js';
import { createTheme } from '../../../src/ui/theme/theme.js';

const NAMES = ['ts', 'py', 'sh', 'go', 'json', 'html', 'css', 'diff', 'yaml', 'rust', 'md', 'sql', 'php'];
let highlighter: Highlighter;
const of = (language: string): Grammar => highlighter.grammar(language) as Grammar;
function lines(language: string, code: string): (readonly Span[])[] {
  const shown: (readonly Span[])[] = [];
  let state: Parameters<Grammar['line']>[0];
  for (const line of code.split('\n')) {
    const next = of(language).line(state, line);
    state = next.state;
    shown.push(next.spans);
  }
  return shown;
}
const roleOf = (spans: readonly Span[] | undefined, text: string): Span['role'] =>
  spans?.find((span) => span.text.includes(text))?.role;

beforeAll(async () => {
  highlighter = createHighlighter();
  for (const name of NAMES) expect(highlighter.grammar(name)).toBe('loading');
  await highlighter.settled();
});

describe('highlighting', () => {
  it('gives roles to what a language knows', () => {
    const [first, second] = lines('ts', "const a: string = 'x'; // note\nfunction f() { return 42; }");
    expect(roleOf(first, 'const')).toBe('keyword');
    expect(roleOf(first, "'x'")).toBe('string');
    expect(roleOf(first, 'note')).toBe('comment');
    expect(roleOf(second, 'f')).toBeDefined();
    expect(roleOf(second, '42')).toBe('number');
    expect(roleOf(lines('diff', '+added\n-gone')[0], 'added')).toBe('added');
  });

  it('carries on what a line leaves open, and ends it', () => {
    const ts = lines('ts', '/* one\ntwo const\nthree */ const a = `x\n ${b} y\nz`; const c = 1;');
    expect([0, 1].map((at) => ts[at]?.[0]?.role)).toEqual(['comment', 'comment']);
    expect(roleOf(ts[2], 'const')).toBe('keyword');
    expect(roleOf(ts[4], 'z')).toBe('string');
    expect(roleOf(ts[4], 'const')).toBe('keyword');
    const long = lines('py', `"""\n${'words here\n'.repeat(500)}"""\nimport os`);
    expect(long[400]?.[0]?.role).toBe('string');
    expect(roleOf(long.at(-1), 'import')).toBe('keyword');
  });

  it('gives back every letter, in every language, for any code', () => {
    const parts = [
      'a',
      ' ',
      '  ',
      '"',
      "'",
      '`',
      '/*',
      '*/',
      '//',
      '#',
      '{',
      '}',
      '(',
      '<',
      '>',
      '${',
      '<script>',
      '</script>',
      '"""',
      '\\',
      '42',
      'def f():',
      '<<E',
      '日',
      '---',
      ': |',
      '\n',
      '\n',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.array(fc.constantFrom(...parts), { maxLength: 40 }), (name, list) => {
        const code = list.join('');
        expect(
          lines(name, code)
            .map((spans) => spans.map(({ text }) => text).join(''))
            .join('\n'),
        ).toBe(code);
      }),
      { numRuns: 300 },
    );
  });

  it('leaves long lines and unknown languages plain', () => {
    expect(lines('ts', `const a = '${'x'.repeat(2000)}';`)[0]).toHaveLength(1);
    for (const name of ['nonsense', '', 'toString', '__proto__', '../x']) expect(highlighter.grammar(name)).toBeUndefined();
    expect(highlighter.grammar('TypeScript')).toBe(of('ts'));
  });

  it('waits for a language that is loading, and is plain when it cannot', async () => {
    const theme = createTheme('dark', 24);
    const make = () => {
      const fresh = createHighlighter();
      return { fresh, markdown: createMarkdown({ columns: () => 80, theme, unicode: true, highlighter: fresh }) };
    };
    const { fresh, markdown } = make();
    const first = markdown.push('```ts\nconst a = 1;\n```\nend');
    expect(first.done).toEqual([]);
    expect(first.open).toEqual(['  const a = 1;', '', 'end']);
    await fresh.settled();
    expect(markdown.push('').done).toEqual([`  ${theme.keyword('const')} a = ${theme.number('1')};`]);
    expect(markdown.end()).toEqual(['', 'end']);
    const hasty = make().markdown;
    hasty.push('```ts\nconst a = 1;\n```');
    expect(hasty.end()).toEqual(['  const a = 1;']);
  });
});
