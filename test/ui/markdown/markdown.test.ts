import fc from 'fast-check';
import stringWidth from 'string-width';
import { beforeAll, describe, expect, it } from 'vitest';
import { createHighlighter, type Highlighter } from '../../../src/ui/markdown/highlight.js';
import { createMarkdown } from '../../../src/ui/markdown/markdown.js';
import { createTheme } from '../../../src/ui/theme/theme.js';
import { HOSTILE, SAMPLE } from './sample.js';

const none = createTheme('none', 0);
const dark = createTheme('dark', 24);
const SGR = /\x1b\[[\d;]*m/g;

interface How {
  readonly columns?: number;
  readonly color?: boolean;
  readonly unicode?: boolean;
  readonly highlighter?: Highlighter;
}
function make({ columns = 80, color = false, unicode = true, highlighter }: How = {}) {
  return createMarkdown({ columns: () => columns, theme: color ? dark : none, unicode, ...(highlighter ? { highlighter } : {}) });
}
/** All lines of a text; cut where told. */
function render(text: string, how: How = {}, cuts: readonly number[] = []): string[] {
  const markdown = make(how);
  const lines: string[] = [];
  let at = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    if (cut <= at || cut >= text.length) continue;
    lines.push(...markdown.push(text.slice(at, cut)).done);
    at = cut;
  }
  return lines.concat(markdown.push(text.slice(at)).done, markdown.end());
}
const bare = (line: string): string => line.replace(SGR, '');
const squeezed = (text: string): string => text.replace(/\s+/g, '');

/** Pieces Markdown is made of, and what breaks it. */
const PIECES = [
  ...['a', 'word', 'longerword', ' ', ' ', '  ', '\n', '\n', '\n\n', '    ', '\t', '- ', '1. ', '10) ', '* ', '> ', '# ', '## '],
  ...[
    '**',
    '*',
    '_',
    '__',
    '~~',
    '`',
    '``',
    '```\n',
    '```ts\n',
    '~~~',
    '\n```\n',
    '[',
    ']',
    '](',
    ')',
    '![',
    '<',
    '>',
    'https://x.y/z',
  ],
  ...[
    '| a | b |\n',
    '|---|:-:|\n',
    '|',
    '---\n',
    '===\n',
    '\\',
    '&amp;',
    '<br>',
    '[x] ',
    '[ ] ',
    '[^1]: ',
    '日本語',
    '，',
    '👩‍👩‍👧',
    '❤️',
    '✅',
  ],
  ...['e\u0301', '\u202e', '\x1b[31m', '\x07', '\r\n', '\u200b', '🇧🇷', 'const x = "y"; // z\n', 'x'.repeat(90), 'y '.repeat(200)],
];
const markdownText = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(''));

let highlighter: Highlighter;
beforeAll(async () => {
  highlighter = createHighlighter();
  for (const language of ['ts', 'bash', 'diff', 'python']) highlighter.grammar(language);
  await highlighter.settled();
});

describe('streaming', () => {
  it('gives the same lines however the text is cut', () => {
    fc.assert(
      fc.property(
        markdownText,
        fc.array(fc.nat(400), { maxLength: 12 }),
        fc.integer({ min: 20, max: 120 }),
        (text, cuts, columns) => {
          const how = { columns, color: true, highlighter };
          expect(render(text, how, cuts)).toEqual(render(text, how));
        },
      ),
      { numRuns: 400 },
    );
    const how = { columns: 60, color: true, highlighter };
    const whole = render(SAMPLE, how);
    expect(
      render(
        SAMPLE,
        how,
        Array.from(SAMPLE, (_, index) => index),
      ),
    ).toEqual(whole);
  });

  it('reading what is open changes nothing, and what is open is little', () => {
    const markdown = make({ columns: 50, color: true, highlighter });
    const lines: string[] = [];
    for (const letter of SAMPLE) {
      const step = markdown.push(letter);
      lines.push(...step.done);
      expect(step.open.length).toBeLessThanOrEqual(12);
    }
    lines.push(...markdown.end());
    expect(lines).toEqual(render(SAMPLE, { columns: 50, color: true, highlighter }));
  });

  it('shows what is open as the end of the text would leave it', () => {
    const markdown = make();
    const step = markdown.push('Some **bold** te');
    expect(step.done).toEqual([]);
    expect(step.open).toEqual(['Some bold te']);
    expect(markdown.push('xt\n\n').done).toEqual(['Some bold text']);
    expect(markdown.push('```\na\nb').done).toEqual(['', '  a']);
    expect(markdown.push('c').open).toEqual(['  bc']);
    expect(markdown.end()).toEqual(['  bc']);
  });

  it('lets finished lines of a long paragraph go', () => {
    const markdown = make();
    const { done, open } = markdown.push('word '.repeat(2000));
    expect(done.length).toBeGreaterThan(115);
    expect(open.length).toBeLessThan(8);
    expect([...done, ...markdown.end()].join(' ').split(' ')).toHaveLength(2000);
  });
});

describe('every line', () => {
  it('fits the columns, holds no control but SGR, and none of that without colours', () => {
    fc.assert(
      fc.property(markdownText, fc.integer({ min: 10, max: 200 }), fc.boolean(), (text, columns, color) => {
        for (const line of render(text, { columns, color, highlighter })) {
          expect(stringWidth(bare(line))).toBeLessThanOrEqual(columns);
          expect(bare(line)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
          if (!color) expect(line).toBe(bare(line));
        }
      }),
      { numRuns: 400 },
    );
  });

  it('fits the columns of its time, when they change in the middle', () => {
    fc.assert(
      fc.property(markdownText, fc.array(fc.integer({ min: 10, max: 120 }), { minLength: 1, maxLength: 5 }), (text, sizes) => {
        let columns = 120;
        const markdown = createMarkdown({ columns: () => columns, theme: none, unicode: true });
        const check = (lines: readonly string[]): void => {
          for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
        };
        check(markdown.push(text).done);
        for (const size of sizes) {
          columns = size;
          const step = markdown.push(text);
          check(step.done);
          check(step.open);
        }
        columns = 10;
        check(markdown.end());
      }),
      { numRuns: 200 },
    );
  });

  it('keeps the text', () => {
    const words = fc.array(fc.stringMatching(/^[a-zA-Z0-9.,;]{1,12}$/), { minLength: 1, maxLength: 80 });
    const join = fc.constantFrom(' ', '\n', '\n\n', '\n- ', '\n> ', '\n\n# ', ' ** ', '\n\n| x |\n|---|\n| ');
    fc.assert(
      fc.property(words, join, fc.integer({ min: 40, max: 200 }), (list, between, columns) => {
        const shown = squeezed(render(list.join(between), { columns }).join('\n'));
        let at = 0;
        for (const word of list) {
          at = shown.indexOf(word.replace(/^\d+[.)]$/, ''), at);
          expect(at, word).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('blocks', () => {
  it('headings, rules and underlined headings', () => {
    expect(render('# One #\ntext\n\nTwo\n---\n\n***\n')).toEqual(['# One', 'text', '', '## Two', '', '─'.repeat(40)]);
    expect(render('# One\n', { color: true })[0]).toBe(dark.title('One'));
    expect(render('----\n', { unicode: false, columns: 20 })).toEqual(['-'.repeat(20)]);
  });

  it('lists nested, numbered, with tasks, with paragraphs inside', () => {
    expect(render('- a\n  - b\n    - c\n- [x] d\n- [ ] e\n10. f\n11. g\n\n    more\n\nend')).toEqual([
      '• a',
      '  ◦ b',
      '    ▪ c',
      '[✓] d',
      '[ ] e',
      '10. f',
      '11. g',
      '',
      '    more',
      '',
      'end',
    ]);
    expect(render('- a\n- [X] b', { unicode: false })).toEqual(['- a', '[x] b']);
    expect(render('-\n- x\n')).toEqual(['•', '• x']);
    expect(render('It was\n2. not a list\n')).toEqual(['It was', '2. not a list']);
  });

  it('quotes, also with lists and code inside', () => {
    expect(render('> a\n> b\n>\n> - c\n>   ```\n>   d\n>   ```\n\ne')).toEqual(['│ a', '│ b', '│', '│ • c', '│   d', '', 'e']);
    expect(render('> a', { unicode: false })).toEqual(['> a']);
  });

  it('code as it is, only indented', () => {
    expect(render('```\na  b\n\n\tc **d** &amp;\n```\ne')).toEqual(['  a  b', '', '      c **d** &amp;', '', 'e']);
    expect(render('````\n```\n````\n')).toEqual(['  ```']);
    expect(render('~~~ts\na\n```\n~~~')).toEqual(['  a', '  ```']);
    expect(render('```ts title=x.ts\na')).toEqual(['  ts title=x.ts', '  a']);
    expect(render('a\n\n    code\n\n    more\n\nb')).toEqual(['a', '', '  code', '', '  more', '', 'b']);
    expect(render('1. x\n   ```sh\nnpm i\n   ```\n   y')).toEqual(['1. x', '   npm i', '   y']);
  });

  it('tables as they are, wrapped, or as records', () => {
    const table = '| Name | Count |\n|:--|--:|\n| a \\| b | 1 |\n| `c` | 22 | d |\n| e |\n\nend';
    expect(render(table)).toEqual(['Name    Count', '─────  ──────', 'a | b       1', '`c`    22 | d', 'e', '', 'end']);
    const wide = `| Key | Text |\n|---|---|\n| k1 | ${'word '.repeat(12)}|\n| k2 | ${'more '.repeat(12)}|\n`;
    const lines = render(wide, { columns: 40 });
    expect(lines[0]).toBe('Key  Text');
    expect(lines).toContain('');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
    const many = `|${' a |'.repeat(9)}\n|${'---|'.repeat(9)}\n|${' some longer value |'.repeat(9)}\n`;
    expect(render(many, { columns: 40 }).slice(0, 2)).toEqual(['a: some longer value', 'a: some longer value']);
    expect(render('a | b\nno table\n')).toEqual(['a | b', 'no table']);
    expect(render('text\n| a | b |\n|---|---|\n| 1 | 2 |\n')).toEqual(['text', '', 'a  b', '─  ─', '1  2']);
  });

  it('shows a table too long to wait for before its end', () => {
    const markdown = make();
    const { done } = markdown.push(`|a|b|\n|-|-|\n${'|1|2|\n'.repeat(1000)}`);
    expect(done).toHaveLength(1002);
    expect(markdown.push('|333333|4|\n').done.length).toBeGreaterThan(0);
  });
});

describe('inline', () => {
  it('emphasis as CommonMark has it', () => {
    const strong = (text: string) => dark.strong(text);
    const show = (text: string): string => render(text, { color: true })[0] ?? '';
    expect(show('**a** b')).toBe(`${strong('a')} b`);
    expect(show('*a* _b_')).toBe(`${dark.emphasis('a')} ${dark.emphasis('b')}`);
    expect(show('***a***')).toBe(dark.strong(dark.emphasis('a')));
    expect(show('snake_case_name 2 * 3 * 4')).toBe('snake_case_name 2 * 3 * 4');
    expect(show('**not closed')).toBe('**not closed');
    expect(show('~~a~~ ~b~')).toBe(`${dark.struck('a')} ~b~`);
    expect(show('\\*a\\* &lt;b&gt;')).toBe('*a* <b>');
    expect(show('**a `b` c**')).toBe(strong('a ') + strong(dark.inlineCode('b')) + strong(' c'));
    expect(show('``a ` b`` `c')).toBe(`${dark.inlineCode('a ` b')} \`c`);
    expect(render('**one\ntwo** x', { color: true })).toEqual([strong('one'), `${strong('two')} x`]);
  });

  it('links with their addresses', () => {
    expect(render('[a](https://x.y "t") <https://z.w> [b][1] ![pic](p.png)')).toEqual([
      'a (https://x.y) https://z.w [b][1] pic (p.png)',
    ]);
    expect(render('[https://x.y](https://x.y) see https://a.b/c_(d). (https://e.f)')).toEqual([
      'https://x.y see https://a.b/c_(d). (https://e.f)',
    ]);
    expect(render('[a](b c) [d](', {})).toEqual(['[a](b c) [d](']);
  });

  it('HTML, footnotes and formulas are text', () => {
    expect(render('<b>x</b> note[^1] $a_1$\n\n[^1]: the note')).toEqual(['<b>x</b> note[^1] $a_1$', '', '[^1]: the note']);
  });
});

describe('hostile text', () => {
  it('cannot reach the terminal, turn the direction or pile up', () => {
    const lines = render('a\x1b]0;title\x07b \x1b[2Jc \u202Edcba\u202C e\u200bf\n\nx\u0301\u0301\u0301\u0301\u0301\u0301\u0301y');
    expect(lines).toEqual(['ab c <U+202E>dcba<U+202C> ef', '', `x${'\u0301'.repeat(4)}y`]);
    expect(render('```\n\x1b[31mred\u202e\n```')).toEqual(['  red<U+202E>']);
  });

  it('is shown, whatever it is made of', () => {
    for (const piece of HOSTILE) expect(render(piece.repeat(Math.ceil(20_000 / piece.length))).length, piece).toBeGreaterThan(0);
  });

  it('keeps deep nesting as text, and unclosed fences as code', () => {
    const deep = render(`${'>'.repeat(10_000)} end`, { columns: 80 });
    expect(deep.join('')).toContain('end');
    expect(render(`${'- '.repeat(10_000)}end`).join('')).toContain('end');
    expect(render('```ts\nconst a = 1;')).toEqual(['  const a = 1;']);
    expect(render('- ```\n  a\nb')).toEqual(['• a', '  b']);
  });
});
