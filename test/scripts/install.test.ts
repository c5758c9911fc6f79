/** When dependencies are installed, and what is said when they cannot be. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { install, installKey, isInstalled } from '../../scripts/lib/install.mjs';

const STAMP = 'node_modules/.chatcli-install.json';
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'chatcli-install-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function project(dependencies: Record<string, string>): void {
  const about = { name: 'trial', version: '1.0.0', dependencies };
  const packages: Record<string, unknown> = { '': about };
  for (const [name, version] of Object.entries(dependencies)) packages[`node_modules/${name}`] = { version };
  writeFileSync(join(root, 'package.json'), JSON.stringify(about));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ ...about, lockfileVersion: 3, requires: true, packages }));
}

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

describe('isInstalled', () => {
  it('follows the lock file', async () => {
    project({});
    expect(isInstalled(root)).toBe(false);
    await install(root);
    expect(isInstalled(root)).toBe(true);
    expect(JSON.parse(readFileSync(join(root, STAMP), 'utf8'))).toEqual(installKey(root));
    project({ left: '1.0.0' });
    expect(isInstalled(root)).toBe(false);
  });

  it("accepts what npm installed without us, but only when npm's record holds the locked versions", () => {
    project({ left: '1.0.0' });
    mkdirSync(join(root, 'node_modules/left'), { recursive: true });
    const record = (version: string) =>
      writeFileSync(
        join(root, 'node_modules/.package-lock.json'),
        JSON.stringify({ packages: { 'node_modules/left': { version } } }),
      );
    record('1.0.0');
    expect(isInstalled(root)).toBe(false);
    writeFileSync(join(root, 'node_modules/left/package.json'), '{}');
    record('0.9.0');
    expect(isInstalled(root)).toBe(false);
    record('1.0.0');
    expect(isInstalled(root)).toBe(true);
  });

  it('follows a lock that changed together with an npm run by hand, but never binaries of another machine', () => {
    project({ left: '1.0.0' });
    mkdirSync(join(root, 'node_modules/left'), { recursive: true });
    writeFileSync(join(root, 'node_modules/left/package.json'), '{}');
    writeFileSync(
      join(root, 'node_modules/.package-lock.json'),
      JSON.stringify({ packages: { 'node_modules/left': { version: '1.0.0' } } }),
    );
    writeFileSync(join(root, STAMP), JSON.stringify({ ...installKey(root), lock: 'older' }));
    expect(isInstalled(root)).toBe(true);
    writeFileSync(join(root, STAMP), JSON.stringify({ ...installKey(root), machine: 'plan9-mips' }));
    expect(isInstalled(root)).toBe(false);
  });
});

describe('install', () => {
  it('says that the registry could not be reached, and what to do', async () => {
    project({ left: '1.0.0' });
    writeFileSync(
      join(root, '.npmrc'),
      `registry=http://127.0.0.1:${await closedPort()}/\nfetch-retries=0\ncache=${join(root, 'cache')}\n`,
    );
    await expect(install(root, { env: withoutNpmSettings() })).rejects.toThrow(
      /package registry could not be reached \(ECONNREFUSED\)[\s\S]*run the same command again/,
    );
    expect(isInstalled(root)).toBe(false);
  });

  it("shows npm's own words when the lock does not fit package.json", async () => {
    project({});
    writeFileSync(
      join(root, 'package.json'),
      JSON.stringify({ name: 'trial', version: '1.0.0', dependencies: { left: '1.0.0' } }),
    );
    await expect(install(root, { env: withoutNpmSettings() })).rejects.toThrow(/in sync[\s\S]*npm ci failed \(exit 1\)/);
  });

  it('says that npm is missing', async () => {
    project({});
    await expect(install(root, { npm: [join(root, 'no-such-npm')] })).rejects.toThrow('npm was not found');
  });
});

/** The environment without the settings an outer npm passes on, which would win over the .npmrc of the trial. */
function withoutNpmSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)));
}
