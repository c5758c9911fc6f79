// What the sandbox costs: how much longer one command takes inside it, in a small workspace and in one with 1,000 folders.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTempFolder, loadSource, median, report } from './lib.mjs';

const ROUNDS = 40;
const BUDGET_MS = 40;

await inTempFolder(async (folder) => {
  const [{ runCommand }, { openSessionSandbox }] = await loadSource(join(folder, 'built'), [
    'process/run-command',
    'process/sandbox/session-sandbox',
  ]);
  for (const [name, folders] of [
    ['small workspace', 3],
    ['1,000 folders', 1000],
  ]) {
    const root = join(folder, `ws${folders}`);
    const home = join(folder, `home${folders}`);
    for (const path of [root, join(home, '.ssh')]) mkdirSync(path, { recursive: true });
    for (let i = 0; i < folders; i++) {
      mkdirSync(join(root, `d${i}`));
      writeFileSync(join(root, `d${i}`, 'file.txt'), 'x');
    }
    const env = { PATH: process.env.PATH, HOME: home };
    let missing;
    const sandbox = openSessionSandbox({
      mode: 'auto',
      roots: [root],
      home,
      state: join(home, '.chatcli'),
      temp: '/tmp',
      uid: process.getuid?.() ?? -1,
      readable: [],
      writable: [],
      env,
      platform: process.platform,
      canOffer: false,
      onMissing: (reason) => (missing = reason),
      onNote: () => undefined,
    });
    const run = async (box) => {
      const options = { command: 'true', cwd: root, env, signal: new AbortController().signal, ...(box && { sandbox: box }) };
      const started = performance.now();
      const { exitCode } = await runCommand(options);
      if (exitCode !== 0) throw new Error(`"true" ended with ${exitCode}`);
      return performance.now() - started;
    };
    const first = await run(sandbox);
    if (missing !== undefined) {
      console.log(`sandbox, ${name}: not measured, there is none here: ${missing}`);
      continue;
    }
    const [plain, confined] = [[], []];
    for (let i = 0; i < ROUNDS; i++) {
      plain.push(await run());
      confined.push(await run(sandbox));
    }
    const extra = median(confined) - median(plain);
    const parts = `(${median(plain).toFixed(1)} -> ${median(confined).toFixed(1)} ms, first ${first.toFixed(0)} ms)`;
    report(`sandbox, ${name}`, `+${extra.toFixed(1)} ms`, parts, `${BUDGET_MS} ms`, extra <= BUDGET_MS);
  }
});
