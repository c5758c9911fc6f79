import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noPty } from '../../../helpers/pty.js';
import type { Script } from '../../../helpers/wire/script.js';
import { type AskedShell, askedShell, pause } from './asked-shell.js';

const opened: AskedShell[] = [];
const start = async (options: Parameters<typeof askedShell>[0]): Promise<AskedShell> => {
  const shell = await askedShell(options);
  opened.push(shell);
  return shell;
};

beforeEach(async (context) => {
  const without = await noPty();
  if (without) context.skip(without);
});
afterEach(async () => {
  for (const shell of opened.splice(0)) await shell.close();
});

const write = (file: string, content: string) => ({ name: 'write', input: { file, content } });
const NEW: Script = [{ calls: [write('new.txt', 'one\ntwo\n')] }, { text: 'All done.' }];
const OLD = Array.from({ length: 40 }, (_, i) => `line ${i + 1}\n`).join('');
const WANTED = OLD.replace('line 3\n', 'line three\n').replace('line 20\n', 'line twenty\n').replace('line 35\n', '');
const shown = ({ terminal }: AskedShell): string => terminal.screen().join('\n');
/** What the model was told of its last call. */
const told = ({ server }: AskedShell): string =>
  (server.requests.at(-1)?.conversation.turns ?? []).flatMap(({ results }) => results.map(({ text }) => text)).join('\n');

describe('the question on the screen', () => {
  it('is not answered by Enter, arrows, escapes, pastes, letters in a burst, or other keys', async () => {
    const shell = await start({ script: NEW });
    await shell.say('/coder make it');
    await shell.question();
    await shell.press('\r', '\x1b', '\x1b[A', '\x1b[200~y\n\x1b[201~', 'yy', 'ya\r', 'x', '\t', '\x1by', 'ŷ');
    expect(shown(shell)).toContain('Not an answer.');
    expect(shell.server.requests).toHaveLength(1);
    expect(shell.file('new.txt')).toBeUndefined();
    await shell.press('N');
    await shell.terminal.waitFor('All done.');
    expect(shell.file('new.txt')).toBeUndefined();
  });

  it('is not answered by what was typed before it and while it appeared; that stays in the input', async () => {
    const shell = await start({ script: [{ ...(Array.isArray(NEW) ? NEW[0] : {}), delayMs: 600 }, { text: 'All done.' }] });
    await shell.say('/coder make it');
    await shell.terminal.waitFor('Type ahead');
    // A person who writes on until after the question is there.
    let typed = '';
    for (let i = 0; i < 18; i++) {
      typed += 'y';
      shell.terminal.send('y');
      await pause(60);
    }
    await shell.question();
    await pause(300);
    expect(shell.file('new.txt')).toBeUndefined();
    expect(shell.server.requests).toHaveLength(1);
    await shell.press('n');
    await shell.terminal.waitFor('All done.');
    await shell.terminal.waitFor(typed.slice(0, 12));
  });
});

describe('single changes', () => {
  it.each([['write', { file: 'a.txt', content: WANTED }]] as const)(
    'one of three left out of a %s: the rest is applied, and the model is told',
    async (name, input) => {
      const shell = await start({ files: { 'a.txt': OLD }, script: [{ calls: [{ name, input }] }, { text: 'All done.' }] });
      await shell.say('/coder change it');
      await shell.question();
      expect(shown(shell)).toContain('▸ [✓] change 1 of 3');
      await shell.press('\x1b[B', ' ');
      await shell.terminal.waitFor('▸ [ ] change 2 of 3');
      expect(shown(shell)).toContain('Yes, apply 2 of 3 changes');
      expect(shown(shell), 'a rule for ever is not made from a part').toContain('[y/n/d]');
      await shell.press('a');
      await shell.terminal.waitFor('Not an answer.');
      await shell.press('y');
      await shell.terminal.waitFor('All done.');
      expect(shell.file('a.txt')).toBe(WANTED.replace('line twenty\n', 'line 20\n'));
      expect(told(shell)).toContain('the user changed this edit before it was applied');
      expect(told(shell)).toContain('-line twenty\n+line 20');
      expect(shell.terminal.scrollback().join('\n')).toContain('Allowed once. (2 of 3 changes)');
    },
  );
});

describe('several agents', () => {
  it('ask one after the other, by name, and it is said how many wait', async () => {
    const worker = (file: string): Script => [{ calls: [write(file, `by ${file}\n`)] }, { text: 'Report.' }];
    const agents = ['one', 'two'].map((name) => ({
      name: 'agent',
      input: { agent: 'coder', task: `write ${name}.txt` },
    }));
    const scripts = new Map([
      ['write one.txt', worker('one.txt')],
      ['write two.txt', worker('two.txt')],
    ]);
    const counts = new Map<string, number>();
    const shell = await start({
      script: (request) => {
        const said = JSON.stringify(request.body);
        const key = [...scripts.keys()].find((task) => said.includes(task) && !said.includes('"name":"agent","arguments"'));
        const script = key === undefined ? [{ calls: agents }, { text: 'All done.' }] : (scripts.get(key) as never[]);
        const at = counts.get(key ?? '') ?? 0;
        counts.set(key ?? '', at + 1);
        return script[at] ?? { text: 'nothing more' };
      },
    });
    await shell.say('/coder both');
    await shell.question();
    await shell.terminal.waitFor('1 more question waits');
    expect(shown(shell).match(/SECURITY CHECK/g)).toHaveLength(1);
    expect(shown(shell)).toMatch(/Agent: coder/);
    const first = shown(shell).includes('│ file: one.txt') ? 'one.txt' : 'two.txt';
    await shell.press('y');
    await shell.terminal.waitUntil(
      'the other question',
      () => !shown(shell).includes(`│ file: ${first}`) && /\[y\//.test(shown(shell)),
    );
    await shell.question();
    expect(shown(shell)).not.toContain('question waits');
    await shell.press('n');
    await shell.terminal.waitFor('All done.');
    expect([shell.file('one.txt') !== undefined, shell.file('two.txt') !== undefined].filter(Boolean)).toHaveLength(1);
    expect(shell.file(first)).toBe(`by ${first}\n`);
  });
});
