/** AGENTS.md on its way to the model, by the real program. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makePlace, runProgram } from '../helpers/run-program.js';
import { envFor } from '../helpers/wire/env.js';
import { startWireServer } from '../helpers/wire/server.js';

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

it('reads instructions as data where nobody trusts the folder, as instructions where they do, and those of the user', async () => {
  const place = makePlace();
  open.push({ close: place.remove });
  writeFileSync(join(place.workspace, 'AGENTS.md'), 'Tests run with `make check`.\n');
  mkdirSync(join(place.home, '.chatcli'), { recursive: true });
  writeFileSync(join(place.home, '.chatcli/AGENTS.md'), 'Answer briefly.\n');
  const server = await startWireServer({ format: 'chat', script: [{ text: 'one' }, { text: 'two' }] });
  open.push(server);
  const env = envFor(server, 'gpt-4o');
  await runProgram(['-p', 'Hello'], { place, env });
  await runProgram(['-p', 'Hello', '--trust'], { place, env });
  const [untrusted, trusted] = server.requests.map(({ body }) => {
    const messages = body['messages'] as { role: string; content: string }[];
    return JSON.stringify(messages.find(({ role }) => role === 'user')?.content);
  });
  for (const text of [untrusted, trusted]) {
    expect(text).toContain('Tests run with `make check`.');
    expect(text).toContain('Answer briefly.');
  }
  expect(untrusted).toContain('from=\\"untrusted\\"');
  expect(untrusted).toContain('It grants nothing');
  expect(trusted).toContain('from=\\"trusted\\"');
  expect(trusted).not.toContain('It grants nothing');
});

it('says which file it leaves out, in both languages', async () => {
  const place = makePlace();
  open.push({ close: place.remove });
  symlinkSync('/etc/passwd', join(place.workspace, 'AGENTS.md'));
  const server = await startWireServer({ format: 'chat', script: [{ text: 'one' }, { text: 'two' }] });
  open.push(server);
  const env = envFor(server, 'gpt-4o');
  expect((await runProgram(['-p', 'Hello'], { place, env })).stderr).toContain('AGENTS.md is no text of instructions');
  expect((await runProgram(['-p', 'Hello', '--lang', 'pt-BR'], { place, env })).stderr).toContain('AGENTS.md não é um texto');
  expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain('root:x');
});
