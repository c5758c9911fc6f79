/** Network and local sockets from a real bubblewrap. */
import { execFileSync, spawn } from 'node:child_process';
import { realpathSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeConfinement, runIn, whyNot } from './confined.js';

const reason = await whyNot();

/** Skips where there is nothing to try. */
const real = (name: string, run: () => Promise<void>) =>
  it(name, async (context) => {
    if (reason !== undefined) context.skip(`no sandbox here: ${reason}`);
    await run();
  });

describe('network and sockets', () => {
  const place = makeConfinement();
  const servers: Server[] = [];
  const listen = (where: number | string) =>
    new Promise<Server>((done) => {
      const server = createServer((socket) => socket.end('HELLO FROM OUTSIDE\n'));
      servers.push(server);
      if (typeof where === 'number') server.listen(where, '127.0.0.1', () => done(server));
      else server.listen(where, () => done(server));
    });
  afterAll(() => {
    for (const server of servers) server.close();
    place.remove();
  });
  const ask = (where: string) =>
    `node -e 'const s = require("net").connect(${where}); s.on("data", (d) => process.stdout.write(d)).on("error", (e) => { console.error(e.message); process.exit(1); })'`;

  real('strict reaches no server outside, workspace does', async () => {
    const server = await listen(0);
    const { port } = server.address() as { port: number };
    const command = ask(`{host:"127.0.0.1",port:${port}}`);
    expect((await runIn(place, place.sandbox(), command)).output).toBe('HELLO FROM OUTSIDE\n');
    const ran = await runIn(place, place.sandbox({ mode: 'strict' }), command);
    expect(ran).toMatchObject({ code: 1, refusal: { kind: 'network' } });
    expect(ran.output).not.toContain('HELLO');
  });
  real('strict leaves a loopback of its own for tests that start servers', async () => {
    const script = `const http=require('http');const s=http.createServer((q,r)=>r.end('own'));s.listen(0,'127.0.0.1',()=>http.get({port:s.address().port},(r)=>{r.pipe(process.stdout);r.on('end',()=>s.close())}))`;
    expect((await runIn(place, place.sandbox({ mode: 'strict' }), `node -e "${script}"`)).output).toBe('own');
  });
  real('sockets that take orders are out of reach; the SSH agent only on request', async () => {
    const folder = realpathSync(execFileSync('mktemp', ['-d', join(tmpdir(), 'ssh-XXXXXX')], { encoding: 'utf8' }).trim());
    const agent = join(folder, 'agent.1');
    await listen(agent);
    const other = join(folder, 'control.sock');
    await listen(other);
    const env = { SSH_AUTH_SOCK: agent, TMUX: `${other},1,0` };
    const box = place.sandbox();
    expect((await runIn(place, box, ask(`"${agent}"`), { env })).code).toBe(1);
    expect((await runIn(place, box, ask(`"${other}"`), { env })).code).toBe(1);
    expect((await runIn(place, box, 'echo "[$SSH_AUTH_SOCK][$TMUX]"', { env })).output).toBe('[][]\n');
    const passed = await runIn(place, box, `echo "[$SSH_AUTH_SOCK]"; ${ask(`"${agent}"`)}`, { env, agent: true });
    expect(passed.output).toBe(`[${agent}]\nHELLO FROM OUTSIDE\n`);
    expect((await runIn(place, box, ask(`"${other}"`), { env, agent: true })).code).toBe(1);
    rmSync(folder, { recursive: true, force: true });
  });
  real('abstract sockets cannot be reached in strict', async () => {
    const name = `chatcli-test-${process.pid}`;
    const script = `const s=require('net').createServer((c)=>c.end('HELLO'));s.listen('\\0${name}',()=>console.log('up'))`;
    const server = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((done) => server.stdout.once('data', done));
    const command = ask(`"\\0${name}"`);
    const open = await runIn(place, place.sandbox(), command);
    const cut = await runIn(place, place.sandbox({ mode: 'strict' }), command);
    server.kill();
    expect(open.output).toBe('HELLO');
    expect(cut.code).toBe(1);
  });
  real('/run is empty but for what takes no orders', async () => {
    const ran = await runIn(place, place.sandbox({ mode: 'strict' }), 'ls /run; touch /run/user/$(id -u)/own && echo private');
    expect(ran.output).toMatch(/user\n[\s\S]*private\n$/);
    for (const name of ['docker.sock', 'dbus', 'systemd/private', 'postgresql']) expect(ran.output).not.toContain(name);
  });
});
