/** A provider's key that is printed in many forms reaches neither the model, nor a log, nor any output. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makePlace, runProgram } from '../helpers/run-program.js';
import { envFor } from '../helpers/wire/env.js';
import type { Script } from '../helpers/wire/script.js';
import { startWireServer } from '../helpers/wire/server.js';

const KEY = 'sk-proj-Zq4Wm81Lx0Tn7Rb5Yc2Kd9';
const FORMS = [
  KEY,
  Buffer.from(KEY).toString('base64'),
  Buffer.from(KEY).toString('hex'),
  Buffer.from(`:${KEY}`).toString('base64').slice(4, -4),
];
const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

async function setup(script: Script, files: Record<string, string>) {
  const place = makePlace({ files });
  const server = await startWireServer({ format: 'chat', script });
  open.push(server, { close: place.remove });
  const env = { ...envFor(server), OPENAI_API_KEY: KEY, MY_HEADERS: `x: Bearer ${KEY}`, CHATCLI_CODER_SANDBOX: 'off' };
  return { place, server, run: (args: string[]) => runProgram(args, { place, env }) };
}

/** Every file below a folder, as text; but copies of the user's own files, which must be true to the byte. */
function filesBelow(folder: string): { path: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => !/[/](?:checkpoints|backups)[/]|[.]undo[/]/.test(path) && statSync(path).isFile())
    .map((path) => ({ path, text: readFileSync(path, 'latin1') }));
}

describe('a key that is printed', () => {
  it('is hidden from model, events, log and recording in all its forms', async () => {
    const exec = (cmd: string) => ({ name: 'exec', input: { cmd } });
    const calls = [
      { name: 'read', input: { file: 'leak.txt' } },
      { name: 'search', input: { term: 'Zq4Wm81' } },
      { name: 'tree', input: {} },
      { name: 'coder', input: { cmd: 'git-diff', args: {} } },
      exec('cat leak.txt >&2; exit 3'),
      exec('printf "sk-proj-Zq4Wm81"; sleep 0.3; printf "Lx0Tn7Rb5Yc2Kd9\\n"'),
      exec(
        'base64 plain.txt; xxd -p plain.txt 2>/dev/null || od -An -tx1 plain.txt | tr -d " \\n"; printf ":%s" $(cat plain.txt) | base64',
      ),
      exec('k=$(cat plain.txt); i=0; while [ $i -lt 4000 ]; do echo "line $i $k"; i=$((i+1)); done'),
      exec('env; env | base64 -w0'),
    ];
    const { place, server, run } = await setup(
      [{ calls }, { status: 401, body: { error: { message: `bad key ${KEY} in Authorization: Bearer ${KEY}` } } }],
      {
        'leak.txt': `plain ${KEY}\nurl https://u:${KEY}@host/?k=${KEY}\njson ${JSON.stringify({ a: `x\n${KEY}` })}\nheader: Bearer ${KEY}\n`,
        'plain.txt': KEY,
        [`dir-${KEY}/f.txt`]: 'x',
      },
    );
    execFileSync('git', ['init', '-q'], { cwd: place.workspace });
    execFileSync('git', ['add', '-A'], { cwd: place.workspace });
    writeFileSync(join(place.workspace, 'leak.txt'), `changed ${KEY}\n`);
    const ran = await run([
      'coder',
      `my key is ${KEY}`,
      '--output',
      'stream-json',
      '--record',
      '../rec.jsonl',
      '--permission-mode',
      'auto',
    ]);
    const results = server.requests[1]?.conversation.turns.flatMap((turn) => turn.results) ?? [];
    expect(results.length, ran.stdout.slice(-2000)).toBe(calls.length);
    for (const { text } of results.slice(0, 8)) expect(text).toContain('[hidden key]');
    expect(results[8]?.text).not.toContain('MY_HEADERS');
    const seen = [
      ...server.requests.map((request, at) => ({ path: `request ${at}`, text: request.raw.toString('latin1') })),
      { path: 'stdout', text: ran.stdout },
      { path: 'stderr', text: ran.stderr },
      { path: 'recording', text: readFileSync(join(place.root, 'rec.jsonl'), 'latin1') },
      ...filesBelow(place.home),
    ];
    expect(seen.length).toBeGreaterThan(5);
    for (const { path, text } of seen) for (const form of FORMS) expect(text.includes(form), `${form} in ${path}`).toBe(false);
  });

  it('is not destroyed by an edit that repeats the mark, and edits beside it work', async () => {
    const text = `a=1\nkey=${KEY}\nb=2\n`;
    const mark = '[hidden key]';
    const calls = [
      { name: 'read', input: { file: 'c.txt' } },
      { name: 'write', input: { file: 'c.txt', content: `a=1\nkey=${mark}\nb=3\n` } },
      { name: 'write', input: { file: 'c.txt', content: Buffer.from(`key=${mark}\n`).toString('base64'), encoding: 'base64' } },
      { name: 'patch', input: { file: 'c.txt', search: `key=${mark}\nb=2`, replace: `key=${mark}\nb=3` } },
      { name: 'multipatch', input: { edits: [{ file: 'c.txt', search: 'a=1', replace: mark }] } },
      { name: 'patch', input: { file: 'c.txt', search: 'b=2', replace: 'b=list[key]' } },
    ];
    const script: Script = (_request, turn) => (calls[turn] ? { calls: [calls[turn]] } : { text: 'done' });
    const { place, server, run } = await setup(script, { 'c.txt': text });
    await run(['coder', 'go', '--permission-mode', 'accept-edits']);
    const results = server.requests.at(-1)?.conversation.turns.flatMap((turn) => turn.results) ?? [];
    expect(results[0]?.text).toContain(`key=${mark}`);
    for (const { text: said } of results.slice(1, 5)) expect(said).toContain('Nothing was changed');
    expect(results[5]?.text).toContain('Patched');
    expect(readFileSync(join(place.workspace, 'c.txt'), 'utf8')).toBe(text.replace('b=2', 'b=list[key]'));
  });
});
