// The shell in a pseudo terminal: when its header stands, and when a key typed at the start is on the screen, against an empty Node.
import { asMs, inTempFolder, median, openShell, reportRatio, SHELL, startModel } from './lib.mjs';

const ROUNDS = 13;
const model = await startModel(() => ({ text: 'hello' }));

await inTempFolder(async (cwd) => {
  const times = { empty: [], header: [], input: [] };
  for (let round = -2; round < ROUNDS; round++) {
    const empty = await openShell(cwd, { args: ['-e', '0'] });
    const ended = await empty.exit;
    const shell = await openShell(cwd, { extra: model.env, args: SHELL });
    const header = await shell.waitFor('ChatCLI');
    shell.send('zq');
    // In the input, behind its mark; an echo by the terminal itself would stand elsewhere.
    const input = await shell.until(() => />[^\n]*zq/.test(shell.text()), 'the key');
    await shell.close();
    if (round < 0) continue;
    times.empty.push(ended);
    times.header.push(header);
    times.input.push(input);
  }
  reportRatio('shell header', median(times.header), median(times.empty), 4, asMs);
  reportRatio('shell input', median(times.input), median(times.empty), 10, asMs);
});
model.close();
