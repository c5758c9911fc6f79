// The shell at rest for ten seconds, after an answer: bytes it writes, CPU time it takes, memory it holds.
import { asMib, inTempFolder, memoryOf, openShell, pause, report, SHELL, startModel, ticksOf } from './lib.mjs';

const REST_MS = 10_000;
/** By then the engine has collected once, as it does some ten seconds after the last work of any program, and lets it be. */
const SETTLE_MS = 20_000;
const model = await startModel(() => ({ text: 'an answer' }));

await inTempFolder(async (cwd) => {
  const shell = await openShell(cwd, { extra: model.env, args: SHELL });
  await shell.waitFor('> ');
  shell.send('say hello\r');
  await shell.waitFor('an answer');
  await shell.waitFor('Done');
  await pause(SETTLE_MS);
  const before = { ticks: ticksOf(shell.pid), pieces: shell.pieces.length };
  await pause(REST_MS);
  const ticks = ticksOf(shell.pid) - before.ticks;
  const bytes = Buffer.byteLength(shell.text(before.pieces));
  const memory = memoryOf(shell.pid);
  await shell.close();
  report('shell idle bytes', `${bytes}`, `in ${REST_MS / 1000} s`, '0', bytes === 0);
  report('shell idle cpu', `${ticks * 10} ms`, `in ${REST_MS / 1000} s`, 'one tick (10 ms)', ticks <= 1);
  report('shell idle memory', asMib(memory), '', '90 MiB', memory <= 90 * 1024 * 1024);
});
model.close();
