/** A tiny program over the screen for tests in a real terminal: shows each key, and does a few things on Ctrl letters. */
import { spawnSync } from 'node:child_process';
import { startEarlyInput } from '../../../src/ui/screen/early-input.js';
import type { Key } from '../../../src/ui/screen/port.js';

const early = startEarlyInput(process.stdin);
process.stdout.write('starting\n');
// Slow as a start with many modules: keys come meanwhile.
const until = Number(process.env['TINY_WAIT'] ?? 0);
await new Promise((resolve) => setTimeout(resolve, until));
const { openScreen } = await import('../../../src/ui/screen/terminal-screen.js');
const screen = openScreen({ input: process.stdin, output: process.stdout, env: process.env, early });

let typed = '';
let lines = 0;
const show = (): void => {
  const { columns } = screen.features();
  const rule = '─'.repeat(columns);
  screen.show({
    lines: [
      rule,
      `> ${typed}`.slice(0, columns),
      rule,
      `lines ${lines} ${columns}x${screen.features().rows} ${screen.features().background}`,
    ],
    cursor: { row: 1, column: Math.min(columns - 1, 2 + typed.length) },
  });
};
const print = (line: string): void => screen.print([line]);

const actions: Record<string, () => void> = {
  c: () => {
    screen.close();
    process.exit(0);
  },
  t: () => {
    throw new Error('thrown on purpose');
  },
  x: () => process.exit(3),
  e: () => {
    const resume = screen.suspend();
    spawnSync('sh', ['-c', 'echo editor has it; read answer; echo "answer $answer"'], { stdio: 'inherit' });
    resume();
  },
  s: () => {
    const timer = setInterval(() => {
      for (let i = 0; i < 5; i++) print(`S${lines++} ${'streamed '.repeat(lines % 4)}`);
      show();
      if (lines >= 500) {
        clearInterval(timer);
        print('stream done');
      }
    }, 3);
  },
  b: () => {
    screen.print(Array.from({ length: 3000 }, (_, i) => `B${i} ${'burst '.repeat(10)}`));
    print('burst done');
  },
};

function take(key: Key): void {
  if (key.kind === 'text') typed += key.text;
  else if (key.kind === 'paste') print(`paste ${JSON.stringify(key.text)}`);
  else if (key.name === 'enter' && !key.ctrl && !key.alt) {
    print(`typed ${typed}`);
    typed = '';
  } else if (key.ctrl && key.letter && actions[key.letter]) actions[key.letter]?.();
  else print(`key ${key.ctrl ? 'C-' : ''}${key.alt ? 'M-' : ''}${key.shift ? 'S-' : ''}${key.letter ?? key.name}`);
  show();
}

screen.onResize(show);
screen.onKey(take);
screen.onEnd(() => process.exit(4));
print('ready');
show();
