/** Requests go through the proxy the environment names, except to loopback and to what `NO_PROXY` lists. */
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openai } from '../../../src/providers/openai.js';
import { isLoopback } from '../../../src/providers/shared/proxy.js';
import { ask, request, user } from '../../helpers/wire/converse.js';
import { startWireServer, type WireServer } from '../../helpers/wire/server.js';

const open: (WireServer | Server)[] = [];
afterEach(async () => {
  await Promise.all(
    open.splice(0).map((server) =>
      'url' in server
        ? server.close()
        : new Promise((resolve) => {
            server.closeAllConnections();
            server.close(resolve);
          }),
    ),
  );
});

/** A proxy that sends every tunnel to the given port, whatever host was asked for. */
async function proxyTo(port: number): Promise<{ url: string; hosts: string[] }> {
  const hosts: string[] = [];
  const server = createServer();
  server.on('connect', (incoming, socket) => {
    hosts.push(incoming.url ?? '');
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hosts };
}

describe('proxy', () => {
  const ready = async () => {
    const server = await startWireServer({ format: 'chat', script: () => ({ text: 'ok' }) });
    open.push(server);
    return { server, proxy: await proxyTo(Number(new URL(server.url).port)) };
  };
  const askAt = (url: string, env: Record<string, string>) =>
    ask(openai.create({ env: { OPENAI_API_KEY: 'key-123456', OPENAI_API_URL: url, ...env }, config: {} }), request([user('x')]));

  it.each(['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY'])('%s is used, and the stream comes through', async (name) => {
    const { server, proxy } = await ready();
    expect(await askAt('http://model.invalid/v1/chat/completions', { [name]: proxy.url })).toMatchObject({
      text: 'ok',
      reason: 'stop',
    });
    expect(proxy.hosts).toEqual(['model.invalid:80']);
    expect(server.requests[0]?.headers).toMatchObject({ host: 'model.invalid', authorization: 'Bearer key-123456' });
  });

  it('not for loopback', async () => {
    const { server, proxy } = await ready();
    expect(await askAt(`${server.url}/v1/chat/completions`, { HTTP_PROXY: proxy.url })).toMatchObject({ text: 'ok' });
    expect(proxy.hosts).toEqual([]);
  });

  it('not for hosts in NO_PROXY', async () => {
    const { proxy } = await ready();
    const { fault } = await askAt('http://model.invalid/v1/chat/completions', {
      HTTP_PROXY: proxy.url,
      NO_PROXY: 'model.invalid',
    });
    expect(fault).toMatchObject({ kind: 'network' });
    expect(proxy.hosts).toEqual([]);
  });

  it('a proxy variable that is no address is a fault, not an exception', async () => {
    expect((await askAt('http://model.invalid/v1/x', { HTTP_PROXY: 'not an address' })).fault).toMatchObject({
      retryable: false,
    });
  });

  it.each([
    ['http://localhost:1/x', true],
    ['http://127.0.0.9/', true],
    ['http://[::1]:80/', true],
    ['http://127.0.0.1.evil.com/', false],
    ['http://10.0.0.1/', false],
    ['nonsense', false],
  ])('%s is loopback: %s', (url, expected) => {
    expect(isLoopback(url)).toBe(expected);
  });
});
