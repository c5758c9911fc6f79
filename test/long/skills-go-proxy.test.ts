/** The dependency scripts on a Go module, against a module proxy on the loopback, and without one. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { which } from '../../src/process/which.js';
import { auditDeps } from '../../src/skills/audit-deps.js';
import { checkDeps } from '../../src/skills/check-deps.js';
import { updateDeps } from '../../src/skills/update-deps.js';
import { whyDep } from '../../src/skills/why-dep.js';
import { type Bench, listIn, makeBench, sections } from '../skills/harness.js';

const noGo = which('go', { PATH: process.env['PATH'] ?? '' }) === undefined ? 'go is not installed' : undefined;

const FILES = { 'go.mod': 'module example.com/shop\n\ngo 1.19\n\nrequire example.com/dep v1.0.0\n', 'a.go': 'package shop\n' };
const VERSIONS = ['v1.0.0', 'v1.4.0'];

function proxy(): Server {
  return createServer((request, response) => {
    request.resume();
    const [, name, what] = /^\/example\.com\/dep\/(@v|@latest)\/?(.*)$/.exec(request.url ?? '') ?? [];
    const version = what?.replace(/\.(info|mod)$/, '') ?? '';
    const answer =
      name === '@v' && what === 'list'
        ? VERSIONS.join('\n')
        : what?.endsWith('.info') && VERSIONS.includes(version)
          ? JSON.stringify({ Version: version, Time: '2020-01-01T00:00:00Z' })
          : what?.endsWith('.mod') && VERSIONS.includes(version)
            ? 'module example.com/dep\n'
            : undefined;
    response.writeHead(answer === undefined ? 404 : 200);
    response.end(answer ?? 'not found');
  });
}

describe.skipIf(noGo !== undefined)(`a Go module with a dependency${noGo === undefined ? '' : ` (skipped: ${noGo})`}`, () => {
  let bench: Bench;
  let closed: Bench;
  const server = proxy();
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const common = { GONOSUMDB: '*', GONOSUMCHECK: '1', GOSUMDB: 'off', GOFLAGS: '' };
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // A cache of its own, where the sandbox lets go write.
    const cache = (name: string) => ({ GOMODCACHE: join('/tmp', `chatcli-mod-${process.pid}-${name}`) });
    bench = await makeBench({ files: FILES, env: { ...common, GOPROXY: url, ...cache('a') } });
    closed = await makeBench({ files: FILES, env: { ...common, GOPROXY: 'http://127.0.0.1:9', ...cache('b') } });
    const sums = await bench.context.call('@coder exec', { cmd: 'go list -mod=mod -m all' });
    expect(sums.isError, sums.output).toBe(false);
    closed.put('go.sum', bench.read('go.sum'));
  });
  afterAll(async () => {
    for (const one of [bench, closed]) await one.context.call('@coder exec', { cmd: 'go clean -modcache' });
    await Promise.all([bench.close(), closed.close()]);
    server.close();
  });

  it('update-deps lists the newer version and writes nothing', async () => {
    const before = [bench.read('go.mod'), bench.read('go.sum')];
    const { data, text } = await bench.run(updateDeps, {});
    expect(listIn(sections(data)[0], 'updates'), text).toEqual([
      { name: 'example.com/dep', current: 'v1.0.0', latest: 'v1.4.0', indirect: false },
    ]);
    expect([bench.read('go.mod'), bench.read('go.sum')]).toEqual(before);
  });

  it('is not up to date and not clean only because nobody could be asked', async () => {
    for (const script of [updateDeps, auditDeps]) {
      const outcome = await closed.run(script, {});
      expect(outcome.status, outcome.text).toBe('not-available');
      expect(outcome.text).toContain('connection refused');
    }
    const states = sections((await closed.run(checkDeps, {})).data).map(({ title, state }) => [title, state]);
    expect(states).toContainEqual(['go mod verify', 'not-available']);
    expect(states).toContainEqual(['go list -m all', 'not-available']);
  });

  it('why-dep names who requires a module', async () => {
    const { data, text } = await bench.run(whyDep, { module: 'example.com/dep' });
    const [why, graph] = sections(data);
    expect(why, text).toMatchObject({ needed: false });
    expect(graph, text).toMatchObject({ requiredBy: ['example.com/shop'] });
  });
});
