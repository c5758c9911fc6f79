// How large the first request is (system prompt and tool schemas), and that the next one begins with the very same bytes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTempFolder, MAIN, mustSucceed, report, runNode, startModel } from './lib.mjs';

const BUDGET = 12 * 1024;
const TASK = 'read the file';
const bytes = (value) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));

const model = await startModel((_body, index) =>
  index < 2 ? { calls: [{ name: 'read', input: { file: 'a.txt', start: index + 1 } }] } : { text: 'done' },
);
await inTempFolder(async (cwd) => {
  writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\nthree\n');
  mustSucceed(await runNode([MAIN, 'coder', TASK, '--model', 'bench'], { cwd, extra: model.env }));
});
model.close();

const [first, second, third] = model.requests.map((request) => request.body);
const system = first.messages.filter((message) => message.role === 'system' || message.role === 'developer');
const size = system.reduce((sum, message) => sum + bytes(message.content), 0) + bytes(first.tools ?? []);
report('first request', `${size} bytes`, `${(size / 1024).toFixed(1)} KiB`, '12 KiB', size <= BUDGET);

/** Everything but the messages, and the messages of `before`, stand byte for byte at the start of `after`. */
function extendsIt(before, after) {
  const rest = ({ messages, ...others }) => JSON.stringify(others);
  const head = JSON.stringify(before.messages).slice(0, -1);
  return rest(before) === rest(after) && JSON.stringify(after.messages).startsWith(`${head},`);
}
const stable = extendsIt(first, second) && extendsIt(second, third);
report('stable prefix', stable ? 'same bytes' : 'changed', '3 requests', 'byte for byte', stable);
