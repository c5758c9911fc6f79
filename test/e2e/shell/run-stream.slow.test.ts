/** An answer that streams into the real shell: Markdown of every kind, hostile text, resizes, and every line once afterwards. */
import { describe, expect, it } from 'vitest';
import { count } from './input-shell.js';
import { expectOnce, rows, runShells } from './run-shell.js';

const start = runShells();
/** Cut where nothing in the text ends. */
const inPieces = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
const CODE = ['ts', 'python', 'go', 'rust', 'sh', 'json', 'nonsense', ''].map(
  (language, at) => `\`\`\`${language}\nconst value${at} = "text ${at}";\nfunction second${at}() {}\n\`\`\`\n\n`,
);

describe('Markdown', () => {
  it('shows headings, lists, tables and code while they come, and keeps each line once', async () => {
    const shell = await start({ rows: 30 });
    const text = [
      '# First heading\n\nSome **bold words** and `code words`.\n\n',
      '- one\n  - nested one\n    - deeper\n- two\n\n1. first\n2. second\n   1. inner\n\n',
      '| name | value |\n|---|---|\n| alpha | 1 |\n| beta | 2 |\n\n',
      ...CODE,
      '> quoted words\n\nLast words.\n',
    ].join('');
    const turn = await shell.ask('hello');
    for (const piece of inPieces(text, 13)) turn.say(piece);
    await shell.sees('Last words.');
    turn.end();
    await shell.sees(/Done|tokens/);
    const all = shell.all();
    const lines = [
      'First heading',
      'bold words',
      'nested one',
      'deeper',
      'inner',
      'alpha',
      'beta',
      'quoted words',
      'Last words.',
    ];
    expectOnce(shell, [...lines, ...CODE.map((_, at) => `const value${at} =`), ...CODE.map((_, at) => `function second${at}(`)]);
    expect(all).not.toMatch(/\*\*|```|\|---/);
  });

  it('shows code whose fence is open, line by line, and one that never ends', async () => {
    const shell = await start();
    const turn = await shell.ask('hello');
    turn.say('Before.\n\n```go\nfunc main() {\n');
    await shell.sees('func main() {');
    turn.say('\tprintln("half a li');
    await shell.sees('half a li');
    turn.say('ne")\n}\n');
    turn.end();
    await shell.sees(/tokens/);
    expectOnce(shell, ['Before.', 'func main() {', 'println("half a line")']);
  });

  it('a table wider than the window', async () => {
    const shell = await start({ columns: 60 });
    const cells = (mark: string): string => Array.from({ length: 8 }, (_, at) => `${mark}${at} with words`).join(' | ');
    const turn = await shell.ask('hello');
    turn.say(`| ${cells('head')} |\n|${'---|'.repeat(8)}\n| ${cells('cell')} |\n| ${cells('more')} |\n\nAfter it.\n`);
    turn.end();
    await shell.sees(/tokens/);
    for (const row of shell.terminal.scrollback()) expect(row.length).toBeLessThanOrEqual(60);
    const flat = shell.all().replace(/[\s│|]+/g, '');
    for (let at = 0; at < 8; at++) expect(flat).toContain(`cell${at}`);
  });
});

describe('long answers', () => {
  it('100 KB keep every line once', async () => {
    const shell = await start();
    const lines = rows(1800);
    const turn = await shell.ask('hello');
    turn.say('Here:\n\n');
    for (const line of lines) turn.say(`- ${line} with some more words to fill the line up\n`);
    turn.end();
    await shell.sees(/tokens/);
    expectOnce(shell, lines);
    expect(shell.all().indexOf('row 0002')).toBeGreaterThan(shell.all().indexOf('row 0001'));
  });

  it('one line of 100 KB comes through, cut into rows', async () => {
    const shell = await start();
    const words = rows(8000).map((row) => row.replace(' ', '-'));
    const turn = await shell.ask('hello');
    for (let at = 0; at < words.length; at += 100) turn.say(`${words.slice(at, at + 100).join(' ')} `);
    turn.end();
    await shell.sees(/tokens/);
    expectOnce(shell, words);
  });

  it('letters of every width stay inside of the window', async () => {
    const shell = await start({ columns: 40 });
    const turn = await shell.ask('hello');
    turn.say(`${'日本語の文章です。'.repeat(12)}\n\n${'👩‍👩‍👧 family '.repeat(12)}\n\nשלום עולם مرحبا\n\nEnd of letters.\n`);
    turn.end();
    await shell.sees(/tokens/);
    const all = shell.all();
    expect(count(all.replace(/\s/g, ''), '日本語の文章です。')).toBe(12);
    expect(count(all, '👩‍👩‍👧')).toBe(12);
    expectOnce(shell, ['End of letters.']);
  });
});

describe('hostile text of a model', () => {
  it('no escape, title, clipboard, link or bell of it reaches the terminal', async () => {
    const shell = await start();
    const { terminal } = shell;
    const before = terminal.bytes();
    const turn = await shell.ask('hello');
    const evil = [
      '\x1b]0;owned title\x07',
      '\x1b]52;c;b3duZWQ=\x07',
      '\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\',
      '\x1b[2J\x1b[H',
      '\x1b[?1049h',
      '\x1bP+q544e\x1b\\',
      '\x9b31m',
      '\x1bc',
      '\x07\x07',
      '\x1b[6n',
      '\u202eevil\u202c',
    ];
    turn.say('Start of it.\n\n');
    for (const piece of inPieces(evil.map((one) => `before ${one} after\n\n`).join(''), 3)) turn.say(piece);
    turn.say(`\`\`\`sh\n${evil.join('\n')}\n\`\`\`\n\n| a |\n|---|\n| ${evil.join('')} |\n\nEnd of it.\n`);
    turn.think(evil.join('\n'));
    turn.end();
    await shell.sees(/tokens/);
    const written = Buffer.from(terminal.output()).subarray(before).toString();
    expect(written).not.toMatch(/\x1b\](?!11;\?)|\x1bP|\x1bc|\x1b\[2J|\x1b\[\?1049|\x9b|\x07|\x1b\[6n|\u202e/);
    expectOnce(shell, ['Start of it.', 'End of it.']);
  });
});

describe('reasoning', () => {
  it('is one line while it comes, one for good, and whole by Ctrl+O', async () => {
    const shell = await start();
    const turn = await shell.ask('hello');
    turn.think('first thought\nsecond thought\nthird thought');
    await shell.sees(/Thinking: third thought/);
    expect(shell.shown()).not.toContain('first thought');
    turn.say('The answer.\n');
    await shell.sees(/Thought/);
    turn.end();
    await shell.sees(/tokens/);
    expect(shell.all()).not.toContain('second thought');
    shell.terminal.send('\x0f');
    await shell.sees('second thought');
    expectOnce(shell, ['first thought', 'second thought', 'third thought', 'The answer.']);
  });

  it('can be unfolded while the answer still comes, without breaking it', async () => {
    const shell = await start();
    const turn = await shell.ask('hello');
    turn.think('a hidden thought');
    turn.say('The first words\n\nand now half a sen');
    await shell.sees('half a sen');
    shell.terminal.send('\x0f');
    await shell.sees('a hidden thought');
    turn.say('tence more.\n');
    turn.end();
    await shell.sees(/tokens/);
    expectOnce(shell, ['a hidden thought', 'The first words', 'half a sentence more.']);
  });
});

const SIZES = [
  [
    'columns',
    [
      [40, 24],
      [200, 24],
      [80, 24],
    ],
  ],
  [
    'rows',
    [
      [80, 6],
      [80, 50],
      [80, 24],
    ],
  ],
  [
    'both at once',
    [
      [40, 6],
      [200, 50],
      [60, 10],
    ],
  ],
] as const;

describe('resize in the middle of streaming', () => {
  it.each(SIZES)('%s: every line once afterwards', async (_name, sizes) => {
    const shell = await start();
    const turn = await shell.ask('hello');
    let at = 1;
    turn.say('Beginning\n\n');
    for (const [columns, height] of [...sizes, ...sizes]) {
      for (const line of rows(25, at)) turn.say(`- ${line}\n`);
      at += 25;
      turn.say(`\n\`\`\`js\nlet open${at} = 1;\n`);
      // The frame is out before the window changes: only then can anybody know what stands where.
      await shell.sees(`let open${at}`);
      await quiet(shell);
      shell.terminal.resize(columns, height);
      turn.say(`let more${at} = 2;\n\`\`\`\n\nparagraph${at}\n\n`);
      await shell.terminal.waitFor(`paragraph${at}`, { all: true, ms: 60_000 });
    }
    turn.say('Last words.\n');
    turn.end();
    await shell.sees(/tokens/);
    expectOnce(shell, ['Beginning', ...rows(at - 1), 'Last words.']);
    await shell.sees(/^> /m);
  });

  it.each(SIZES)('%s while frames are on their way: no line is lost', async (_name, sizes) => {
    const shell = await start();
    const turn = await shell.ask('hello');
    let at = 1;
    for (const [columns, height] of [...sizes, ...sizes]) {
      for (const line of rows(25, at)) {
        turn.say(`- ${line}\n`);
        if (line.endsWith('2')) shell.terminal.resize(columns, height);
      }
      at += 25;
      turn.say(`\nparagraph${at}\n\n`);
      await shell.terminal.waitFor(`paragraph${at}`, { all: true, ms: 60_000 });
    }
    turn.end();
    await shell.sees(/tokens/);
    const all = shell.all();
    const found = rows(at - 1).map((row) => count(all, row));
    expect(found.indexOf(0)).toBe(-1);
    // What stood below the printed lines at that moment may have a rest left over; what was printed may not.
    expect(found.filter((times) => times > 1).length).toBeLessThanOrEqual(sizes.length * 2 * 4);
  });
});

/** Until nothing was written for a while. */
async function quiet({ terminal }: { terminal: { bytes(): number } }): Promise<void> {
  for (let before = -1; before !== terminal.bytes(); ) {
    before = terminal.bytes();
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
