/** A picture from the disk to the model and no further, by the real program. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { png } from '../helpers/images.js';
import { makePlace, runProgram } from '../helpers/run-program.js';
import { envFor } from '../helpers/wire/env.js';
import { startWireServer } from '../helpers/wire/server.js';

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

it('shows a picture to a model that sees, keeps it out of the session, and says so when resumed', async () => {
  const place = makePlace();
  open.push({ close: place.remove });
  const picture = png(31, 17);
  writeFileSync(join(place.workspace, 'shot.png'), picture);
  const script = [
    { calls: [{ name: 'read', input: { file: 'shot.png' } }] },
    { text: 'A black picture.' },
    { text: 'It is gone.' },
  ];
  const server = await startWireServer({ format: 'chat', script });
  open.push(server);
  const env = envFor(server, 'gpt-4o');
  expect((await runProgram(['-p', 'Look at shot.png'], { place, env })).stdout).toBe('A black picture.\n');
  const messages = server.requests[1]?.body['messages'] as { role: string; content: unknown }[];
  const data = picture.toString('base64');
  expect(messages.at(-2)).toMatchObject({
    role: 'tool',
    content: `shot.png is a PNG image, 31 x 17 pixels, ${picture.length} bytes.\n[the image is attached]\n`,
  });
  expect(messages.at(-1)).toMatchObject({
    role: 'user',
    content: [{ type: 'text' }, { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }],
  });
  const folder = join(place.home, '.chatcli/sessions');
  const logs = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  expect(logs.map((name) => readFileSync(join(folder, name), 'utf8')).join('')).not.toContain(data);
  expect((await runProgram(['-p', 'And now?', '--continue'], { place, env })).stdout).toBe('It is gone.\n');
  const resumed = JSON.stringify(server.requests[2]?.body['messages']);
  expect(resumed).not.toContain(data);
  expect(resumed).toContain('it is not kept in the session. Read the file again to see it');
});

it('tells a model that cannot see, and a user without one', async () => {
  const place = makePlace();
  open.push({ close: place.remove });
  writeFileSync(join(place.workspace, 'shot.png'), png(31, 17));
  const server = await startWireServer({
    format: 'chat',
    script: [{ calls: [{ name: 'read', input: { file: 'shot.png' } }] }, { text: 'ok' }],
  });
  open.push(server);
  await runProgram(['-p', 'Look'], { place, env: envFor(server, 'some-text-model') });
  expect(JSON.stringify(server.requests[1]?.body)).toContain('the model in use cannot see images');
  const direct = await runProgram(['tool', '@read', '--', 'shot.png'], { place });
  expect(direct.stdout).toMatch(/^shot\.png is a PNG image, 31 x 17 pixels, \d+ bytes\.\n$/);
});

it('replays a run in which a picture was shown', async () => {
  const place = makePlace();
  open.push({ close: place.remove });
  writeFileSync(join(place.workspace, 'shot.png'), png(31, 17));
  const server = await startWireServer({
    format: 'chat',
    script: [{ calls: [{ name: 'read', input: { file: 'shot.png' } }] }, { text: 'A black picture.' }],
  });
  open.push(server);
  await runProgram(['-p', 'Look', '--record', 'run.jsonl'], { place, env: envFor(server, 'gpt-4o') });
  const replayed = await runProgram(['replay', 'run.jsonl'], { place });
  expect([replayed.code, replayed.stdout]).toEqual([0, expect.stringContaining('A black picture.')]);
});
