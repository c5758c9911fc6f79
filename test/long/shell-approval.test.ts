/** The security question inside the interactive screen, in a real terminal: every key, long changes, every kind of edit, edited text, a long run. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AskedShell, askedShell, pause } from '../app/shell/approval/asked-shell.js';
import { noPty } from '../helpers/pty.js';
import type { Script } from '../helpers/wire/script.js';

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
const times = (shell: AskedShell, what: string): number => shell.terminal.scrollback().join('\n').split(what).length - 1;

describe('the question on the screen', () => {
  it.each([
    ['y', 'Allowed once.', true],
    ['a', 'Allowed from now on.', true],
    ['n', 'Skipped.', false],
    ['d', 'Blocked from now on.', false],
  ] as const)('%s: %s', async (key, line, runs) => {
    const shell = await start({ script: NEW });
    await shell.say('/coder make it');
    await shell.question();
    expect(shown(shell)).toContain('+ two');
    await shell.press(key);
    await shell.terminal.waitFor('All done.');
    expect(shell.file('new.txt')).toBe(runs ? 'one\ntwo\n' : undefined);
    const all = shell.terminal.scrollback().join('\n');
    expect(all).toContain(`? Write file: new.txt → ${line}`);
    expect(all).not.toContain('SECURITY CHECK');
  });

  it('Ctrl+C stops the run and not the shell; a call for attention has gone out', async () => {
    const shell = await start({ script: NEW });
    await shell.say('/coder make it');
    await shell.question();
    expect(shell.terminal.output()).toMatch(/\x07|\x1b\]9;/);
    await shell.press('\x03');
    await shell.terminal.waitFor('Cancelled.');
    await shell.terminal.waitFor(/Type|Ask, or say/);
    expect(shell.server.requests).toHaveLength(1);
    expect(shell.file('new.txt')).toBeUndefined();
  });

  it('shows all of a long change with v, scrolls, and keeps the choices in sight in 40 columns', async () => {
    const long = Array.from({ length: 90 }, (_, i) => `word ${i + 1} and a line that is too wide for so narrow a window\n`).join(
      '',
    );
    const shell = await start({ script: [{ calls: [write('long.txt', long)] }, { text: 'All done.' }], columns: 40, rows: 24 });
    await shell.say('/coder make it');
    await shell.question();
    expect(shown(shell)).toContain('[y/a/n/d/v]');
    expect(shown(shell)).not.toContain('word 90');
    await shell.press('v');
    await shell.terminal.waitFor('[y/a/n/d]');
    await shell.press('\x1b[F');
    await shell.terminal.waitFor('word 90');
    expect(shown(shell)).toContain('[y/a/n/d]');
    await shell.press('\x1b[H');
    await shell.terminal.waitFor(/Agent: main/);
    for (const row of shell.terminal.screen()) expect(row.length).toBeLessThanOrEqual(40);
    await shell.press('n');
    await shell.terminal.waitFor('All done.');
    expect(times(shell, 'Skipped.')).toBe(1);
  });

  it('asks in Portuguese, and s is yes', async () => {
    const shell = await start({ script: NEW, env: { CHATCLI_LANG: 'pt-BR' } });
    await shell.say('/coder faz');
    await shell.question();
    expect(shown(shell)).toContain('VERIFICAÇÃO DE SEGURANÇA');
    await shell.press('s');
    await shell.terminal.waitFor('All done.');
    expect(shell.file('new.txt')).toBe('one\ntwo\n');
  });
});

describe('single changes', () => {
  it.each([
    ['patch', { file: 'a.txt', search: OLD.slice(0, -8), replace: WANTED.slice(0, -8) }],
    [
      'multipatch',
      {
        edits: [
          { file: 'a.txt', search: 'line 3\n', replace: 'line three\n' },
          { file: 'a.txt', search: 'line 20\n', replace: 'line twenty\n' },
          { file: 'a.txt', search: 'line 35\n', replace: '' },
        ],
      },
    ],
    [
      'patch',
      {
        diff: '--- a/a.txt\n+++ b/a.txt\n@@ -3,1 +3,1 @@\n-line 3\n+line three\n@@ -20,1 +20,1 @@\n-line 20\n+line twenty\n@@ -35,1 +35,0 @@\n-line 35\n',
      },
    ],
  ] as const)('one of three left out of a %s: the rest is applied, and the model is told', async (name, input) => {
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
  });

  it('with none left nothing is applied by y, and a file that changed meanwhile is shown anew', async () => {
    const two = OLD.replace('line 3\n', 'line three\n').replace('line 20\n', 'line twenty\n');
    const shell = await start({ files: { 'a.txt': OLD }, script: [{ calls: [write('a.txt', two)] }, { text: 'All done.' }] });
    await shell.say('/coder change it');
    await shell.question();
    await shell.press(' ', '\x1b[B', ' ', 'y');
    await shell.terminal.waitFor('No change is left to apply');
    await shell.press(' ');
    shell.put('a.txt', OLD.replace('line 30\n', 'line thirty, by somebody else\n'));
    await shell.press('y');
    await shell.terminal.waitFor('no longer as shown');
    await shell.terminal.waitFor('thirty, by somebody else');
    expect(shell.server.requests).toHaveLength(1);
    await pause(400);
    await shell.press('n');
    await shell.terminal.waitFor('All done.');
    expect(shell.file('a.txt')).toContain('by somebody else');
  });

  it('the text is edited in the editor first; what is written is what was saved', async () => {
    const tools = mkdtempSync(join(tmpdir(), 'chatcli-editor-'));
    const editor = join(tools, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\ncase "$1" in *new.txt) printf "three\\n" >> "$1";; esac\n');
    chmodSync(editor, 0o755);
    try {
      const shell = await start({ script: NEW, env: { VISUAL: editor } });
      await shell.say('/coder make it');
      await shell.question();
      await shell.press('e');
      await shell.terminal.waitFor('+ three');
      expect(shown(shell)).toContain('Yes, apply the text as you changed it');
      await shell.question();
      await shell.press('y');
      await shell.terminal.waitFor('All done.');
      expect(shell.file('new.txt')).toBe('one\ntwo\nthree\n');
      expect(told(shell)).toContain('+three');
    } finally {
      rmSync(tools, { recursive: true, force: true });
    }
  });
});

it('calls when a run of more than 30 seconds has ended', async () => {
  const shell = await start({ script: [{ text: 'Slow answer.', delayMs: 31_000 }] });
  await shell.say('hello');
  await shell.terminal.waitFor('Slow answer.', { ms: 60_000 });
  await shell.terminal.waitUntil('the bell', () => /\x07|\x1b\]9;/.test(shell.terminal.output()));
}, 90_000);
