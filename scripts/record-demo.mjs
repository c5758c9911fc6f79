// Makes demo/recording.jsonl anew: a scripted model on loopback answers the built program, which records the run.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const TASK = 'A test of this shop fails. Find out why, repair the code (not the test), and show that all tests pass.';

const TURNS = [
  {
    text: '<reasoning>1. Run the tests to see the failure. 2. Find the cause. 3. Repair it. 4. Run the tests again.</reasoning>',
    calls: [['test', {}]],
  },
  {
    text: '<reasoning>1. Run the tests [✓]. Twelve notebooks should get 10 % off and got 5 %. 2. Find who decides the percentage.</reasoning>',
    calls: [
      ['search', { term: 'quantityPercent' }],
      ['read', { file: 'src/cart.js' }],
      ['read', { file: 'README.md' }],
    ],
  },
  {
    text: '<reasoning>The percentage comes from src/discounts.js; the README says the tiers.</reasoning>',
    calls: [['read', { file: 'src/discounts.js' }]],
  },
  {
    text: '<reasoning>2. Find the cause [✓]: the tiers run from small to large and the first that fits is taken, so 5 % always wins. 3. Take the last that fits.</reasoning>',
    calls: [
      [
        'patch',
        {
          file: 'src/discounts.js',
          search: 'TIERS.find(({ from }) => quantity >= from)',
          replace: 'TIERS.findLast(({ from }) => quantity >= from)',
        },
      ],
    ],
  },
  { text: '<reasoning>3. Repair [✓]. 4. Run all tests again.</reasoning>', calls: [['test', {}]] },
  {
    text: 'The quantity discount took the first tier that fits instead of the highest, so large orders got 5 %. `quantityPercent` in src/discounts.js now takes the last one; all 11 tests pass.',
    calls: [],
  },
];

function chunk(delta, finish = null) {
  const body = {
    id: 'demo',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'demo',
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
  return `data: ${JSON.stringify(body)}\n\n`;
}

let turn = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const { text, calls } = TURNS[turn++] ?? { text: 'no more turns', calls: [] };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of text.match(/.{1,24}/gs) ?? []) response.write(chunk({ role: 'assistant', content: piece }));
    calls.forEach(([name, args], index) => {
      response.write(
        chunk({
          tool_calls: [
            { index, id: `call_${turn}_${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } },
          ],
        }),
      );
    });
    response.write(chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'));
    response.end('data: [DONE]\n\n');
  });
});

await new Promise((done) => server.listen(0, '127.0.0.1', done));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-demo-')));
cpSync(join(ROOT, 'demo/sample'), join(folder, 'sample'), { recursive: true });
const child = spawn(
  process.execPath,
  [join(ROOT, 'dist/main.mjs'), 'coder', TASK, '--permission-mode', 'auto', '--record', join(ROOT, 'demo/recording.jsonl')],
  {
    cwd: join(folder, 'sample'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      LLM_PROVIDER: 'OPENAI',
      OPENAI_API_KEY: 'demo',
      OPENAI_MODEL: 'demo',
      OPENAI_API_URL: `http://127.0.0.1:${server.address().port}/v1/chat/completions`,
    },
  },
);
const code = await new Promise((done) => child.on('close', done));
server.close();
rmSync(folder, { recursive: true, force: true });
process.exit(code === 0 && turn === TURNS.length ? 0 : 1);
