// A session of 5,000 messages, resumed: how long until it can be typed in, and from a key to its being on the screen.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asMib, asMs, inTempFolder, median, memoryOf, openShell, report, SHELL, startModel } from './lib.mjs';

const MESSAGES = 5000;
const KEYS = 60;
const KEY_LIMIT_MS = 30;
const DRAFT = 100 * 1024;
const model = await startModel(() => ({ text: 'hello' }));

/** The log such a session leaves: questions and answers of a few hundred letters. */
function logOf(workspace) {
  const time = Date.now() - MESSAGES * 1000;
  const said = (role, number) => ({
    type: 'message-end',
    message: {
      id: `${role === 'user' ? 'u' : 'm'}${number}`,
      role,
      parts: [{ type: 'text', text: `Message ${number}: ${'words of a conversation that went on for long, '.repeat(6)}` }],
      time: time + number * 1000,
      ...(role === 'user' ? { origin: 'person' } : {}),
    },
    ...(role === 'user' ? {} : { reason: 'stop' }),
    agent: 'main',
    time: time + number * 1000,
  });
  const rows = [{ type: 'session', version: 1, id: 'long', workspace, created: time, app: 'chatcli bench' }];
  for (let number = 1; number <= MESSAGES; number++) rows.push(said(number % 2 === 1 ? 'user' : 'assistant', number));
  return `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
}

/** What is shown, without what moves and colours it: at rest only the input changes. */
const plain = (shell, from) => shell.text(from).replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '');

/** Milliseconds from each key to the screen, one key after the other. */
async function keyTimes(shell) {
  const times = [];
  for (let index = 0; index < KEYS; index++) {
    const key = String.fromCharCode(97 + (index % 26));
    const from = shell.pieces.length;
    const sent = performance.now() - shell.started;
    shell.send(key);
    times.push((await shell.until(() => plain(shell, from).includes(key), `the key ${key}`)) - sent);
    // The next one comes at rest, as it is typed.
    await new Promise((done) => setTimeout(done, 40));
  }
  return times;
}

function reportKeys(name, times) {
  const sorted = [...times].sort((a, b) => a - b);
  const late = sorted[Math.floor(sorted.length * 0.95)];
  report(name, asMs(median(times)), `95 of 100 within ${asMs(late)}`, `${KEY_LIMIT_MS} ms`, late <= KEY_LIMIT_MS);
}

await inTempFolder(async (cwd) => {
  mkdirSync(join(cwd, '.chatcli/sessions'), { recursive: true, mode: 0o700 });
  writeFileSync(join(cwd, '.chatcli/sessions/long.jsonl'), logOf(cwd), { mode: 0o600 });
  const shell = await openShell(cwd, { extra: model.env, args: [...SHELL, '--resume', 'long'] });
  const open = await shell.waitFor('OPENAI/bench');
  const from = shell.pieces.length;
  shell.send('ready?');
  await shell.waitFor('ready?', from);
  reportKeys('shell key, 5,000 messages', await keyTimes(shell));
  // Typed, not pasted: a paste would be folded.
  const draftFrom = shell.pieces.length;
  shell.send(`${'draft '.repeat(DRAFT / 6)}ENDOFDRAFT`);
  await shell.until(() => plain(shell, draftFrom).includes('ENDOFDRAFT'), 'the draft');
  reportKeys('shell key, draft of 100 KB', await keyTimes(shell));
  report('shell opened, 5,000 messages', asMs(open), asMib(memoryOf(shell.pid)), 'told only', true);
  await shell.close();
});
model.close();
