/** What `chatcli doctor` finds: in a sound place, in broken ones, and without running or changing anything. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { which } from '../../src/process/which.js';
import { sandboxMissing, withoutBubblewrap } from '../helpers/no-bubblewrap.js';
import { makePlace, type Place, type RunOptions, runProgram } from '../helpers/run-program.js';

interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'fault';
  readonly text: string;
  readonly fix?: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const KEY = 'sk-doctor-0123456789abcdef';
const places: Place[] = [];
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

function setup(files: Record<string, string> = {}): Place {
  const place = makePlace({ files });
  places.push(place);
  return place;
}

async function doctor(place: Place, more: Omit<RunOptions, 'place'> = {}, ...words: string[]) {
  const ran = await runProgram(['doctor', '--json', ...words], { place, ...more });
  expect(ran.stderr).toBe('');
  expect(ran.stdout).not.toContain(KEY);
  const { ok, faults, findings } = ran.json() as { ok: boolean; faults: number; findings: Finding[] };
  expect(ran.code).toBe(ok ? 0 : 1);
  expect(findings.filter(({ status }) => status === 'fault')).toHaveLength(faults);
  for (const one of findings) if (one.status !== 'ok') expect(one.fix, one.text).toBeTruthy();
  return { code: ran.code, of: (check: string) => findings.filter((one) => one.check === check), findings };
}

function write(file: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

describe('a sound place', () => {
  it('is fine, in both languages, and is left as it was', async () => {
    const place = setup();
    const env = { OPENAI_API_KEY: KEY };
    const english = await runProgram(['doctor'], { place, env });
    expect(english).toMatchObject({ code: 0, stderr: '' });
    expect(english.stdout).toContain('[ok] Model: OPENAI / ');
    expect(english.stdout).toContain('with the key from OPENAI_API_KEY\n');
    expect(english.stdout).not.toContain(KEY);
    const portuguese = await runProgram(['doctor', '--lang', 'pt-BR'], { place, env });
    expect(portuguese.stdout).toMatch(/com a chave de OPENAI_API_KEY\n[\s\S]*Nenhuma alteração inacabada/);
    expect(portuguese.stdout.split('\n').length).toBe(english.stdout.split('\n').length);
    expect(readdirSync(place.home)).toEqual([]);
    expect(readdirSync(place.workspace)).toEqual([]);
  });

  it('names what is read, by whom commands are run and what holds them', async () => {
    const place = setup();
    write(join(place.home, '.chatcli/config.json'), JSON.stringify({ keys: { OPENAI: KEY } }));
    write(join(place.home, '.chatcli/coder_policy.json'), '{"rules":[{"pattern":"@coder exec --cmd ls","action":"allow"}]}');
    const { of, code } = await doctor(place, { env: { CHATCLI_CODER_SANDBOX: 'strict' } });
    expect(of('configuration')).toMatchObject([{ status: 'ok', values: { file: join(place.home, '.chatcli/config.json') } }]);
    expect(of('policy')).toMatchObject([{ status: 'ok', values: { count: 1 } }]);
    expect(of('model')).toMatchObject([{ status: 'ok', values: { service: 'OPENAI', source: 'keys.OPENAI' } }]);
    expect(of('shell')[0]?.values['file']).toMatch(/^\/.*sh$/);
    expect(of('state')[0]?.values['bytes']).toBeGreaterThan(0);
    if (sandboxMissing === undefined) {
      expect(of('sandbox')).toMatchObject([{ status: 'ok', values: { level: 'strict' } }]);
      expect(code).toBe(0);
    } else expect(of('sandbox')).toMatchObject([{ status: 'fault', values: { mode: 'strict' } }]);
  });
});

describe('what is broken', () => {
  it('is said with the way to mend it, all of it at once', async () => {
    const place = setup({ 'coder_policy.json': '{"rules":[{"pattern":"x"' });
    const state = join(place.home, '.chatcli');
    write(join(state, 'config.json'), '{"provider": ');
    write(join(state, 'models.json'), '{"m": 1}');
    write(join(state, 'trust.json'), 'no json');
    const { of, code } = await doctor(place, { env: { CHATCLI_CODER_SANDBOX: 'yes' } });
    expect(code).toBe(1);
    const broken = of('configuration').filter(({ status }) => status === 'fault');
    expect(broken.map(({ values }) => values['file'])).toEqual([join(state, 'config.json'), join(state, 'models.json')]);
    expect(of('policy')).toMatchObject([{ status: 'fault', values: { file: join(place.workspace, 'coder_policy.json') } }]);
    expect(of('trust')).toMatchObject([{ status: 'fault' }]);
    expect(of('model')).toMatchObject([{ status: 'warning' }]);
    rmSync(join(state, 'config.json'));
    rmSync(join(state, 'models.json'));
    const after = await doctor(place, { env: { CHATCLI_CODER_SANDBOX: 'yes' } });
    expect(after.of('configuration')[0]).toMatchObject({
      status: 'fault',
      text: expect.stringContaining('CHATCLI_CODER_SANDBOX'),
    });
    // No command would run, so nothing is said to hold one.
    expect(after.of('sandbox')).toEqual([]);
  });

  it('keys others can read, a key that cannot be sent, a provider nobody knows', async () => {
    const place = setup();
    const bad = await doctor(place, { env: { OPENAI_API_KEY: `${KEY} x` } });
    expect(bad.of('model')).toMatchObject([{ status: 'fault', values: { source: 'OPENAI_API_KEY' } }]);
    expect((await doctor(place, { env: { LLM_PROVIDER: 'NOBODY' } })).of('model')).toMatchObject([{ status: 'fault' }]);
    expect((await doctor(place, { env: { LLM_PROVIDER: 'OPENAI' } })).of('model')).toMatchObject([{ status: 'fault' }]);
    write(join(place.home, '.chatcli/config.json'), JSON.stringify({ keys: { OPENAI: KEY } }));
    chmodSync(join(place.home, '.chatcli/config.json'), 0o644);
    chmodSync(join(place.home, '.chatcli'), 0o777);
    const open = await doctor(place);
    expect(open.of('configuration')[0]?.status).toBe('fault');
    expect(open.of('state').some(({ status, fix }) => status === 'fault' && fix?.includes('chmod'))).toBe(true);
  });

  it('files of a folder nobody trusts are no fault, and changed ones of a trusted folder are told', async () => {
    const place = setup({ '.chatcli/config.json': '{"nonsense": 1}', '.env': 'OPENAI_API_KEY=from-the-folder\n' });
    const { of, code } = await doctor(place);
    expect(code).toBe(0);
    expect(of('configuration').map(({ status }) => status)).toEqual(['warning', 'ok']);
    expect(of('trust')).toMatchObject([{ status: 'ok', values: { count: 2 }, fix: expect.stringContaining('chatcli trust') }]);
    expect(of('model')).toMatchObject([{ status: 'warning' }]);
    writeFileSync(join(place.workspace, '.chatcli/config.json'), '{}');
    await runProgram(['trust'], { place });
    expect((await doctor(place)).of('model')).toMatchObject([{ status: 'ok', values: { source: 'OPENAI_API_KEY' } }]);
    writeFileSync(join(place.workspace, '.env'), 'OPENAI_API_KEY=changed\n');
    const changed = await doctor(place);
    expect(changed.of('trust')).toMatchObject([{ status: 'warning', values: { files: '.env' } }]);
  });

  it('what a process that died left', async () => {
    const place = setup();
    const lost = join(place.workspace, 'lost.txt');
    const entry = { id: 1, time: 1, path: lost, temps: [], after: 'a'.repeat(64), before: null };
    write(join(place.home, `.chatcli/journal/write-999999-${'ab'.repeat(24)}.jsonl`), `${JSON.stringify(entry)}\n`);
    const { of, code } = await doctor(place);
    expect(of('recovery')).toMatchObject([{ status: 'warning', values: { files: lost } }]);
    expect(code).toBe(0);
  });
});

describe('broken surroundings', () => {
  it('runs nothing of the folder worked in', async () => {
    const place = setup();
    for (const name of ['git', 'bash', 'rg', 'bwrap', 'gopls'])
      write(join(place.workspace, 'bin', name), `#!/bin/sh\ntouch ${place.root}/ran\necho git version 9.9.9\n`, 0o755);
    const env = { PATH: `${place.workspace}/bin:${process.env['PATH']}` };
    const system = await doctor(place, { env });
    expect(JSON.stringify(system.findings)).not.toContain(join(place.workspace, 'bin'));
    write(join(place.home, '.chatcli/config.json'), 'broken');
    expect(JSON.stringify((await doctor(place, { env })).findings)).not.toContain(join(place.workspace, 'bin'));
    rmSync(join(place.home, '.chatcli'), { recursive: true });
    // A trusted folder may stand in PATH, behind all others: here there are none.
    await runProgram(['trust'], { place });
    const trusted = await doctor(place, { env: { PATH: `${place.workspace}/bin` } });
    expect(trusted.of('git')).toMatchObject([{ status: 'fault', values: { file: join(place.workspace, 'bin/git') } }]);
    expect(trusted.of('shell')).toMatchObject([{ status: 'fault' }]);
    expect(existsSync(join(place.root, 'ran'))).toBe(false);
  });

  it('goes without git, without a shell in PATH, without HOME', async () => {
    const place = setup();
    const { of } = await doctor(place, { env: { PATH: '', HOME: 'relative' } });
    expect(of('git')).toMatchObject([{ status: 'warning' }]);
    expect(of('shell')).toMatchObject([{ status: 'ok', values: { file: '/bin/sh' } }]);
    expect(of('state')).toHaveLength(1);
  });

  it('goes in a folder that was removed, and refuses one that never was', async (context) => {
    const place = setup();
    const gone = await runProgram(['doctor', '-C', join(place.root, 'nowhere')], { place });
    expect(gone).toMatchObject({ code: 2, stdout: '' });
    const sh = which('sh', { PATH: process.env['PATH'] ?? '' });
    if (sh === undefined) return context.skip('no sh');
    const within = [sh, '-c', 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', 'sh'];
    const { of, code } = await doctor(place, { within });
    expect(code).toBe(1);
    expect(of('folder')).toMatchObject([{ status: 'fault' }]);
  });

  it('goes on a disk that cannot be written, and says so', async (context) => {
    if (sandboxMissing !== undefined) context.skip(`no sandbox here: ${sandboxMissing}`);
    const place = setup();
    const within = ['bwrap', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--'];
    const { of, code } = await doctor(place, { within });
    expect(code).toBe(1);
    expect(of('state')).toMatchObject([{ status: 'fault', values: { reason: 'EROFS' } }]);
  });

  it('says why there is no sandbox, and how to get one', async (context) => {
    const within = withoutBubblewrap();
    if (within.length === 0) context.skip(`there is none anyway: ${sandboxMissing}`);
    const place = setup();
    const auto = await doctor(place, { within });
    expect(auto.of('sandbox')).toMatchObject([{ status: 'warning', fix: expect.stringContaining('apt install bubblewrap') }]);
    expect(auto.code).toBe(0);
    const strict = await doctor(place, { within, env: { CHATCLI_CODER_SANDBOX: 'strict' } });
    expect(strict.of('sandbox')).toMatchObject([{ status: 'fault', values: { mode: 'strict' } }]);
    expect(strict.code).toBe(1);
    const off = await doctor(place, { env: { CHATCLI_CODER_SANDBOX: 'off' } });
    expect(off.of('sandbox')).toMatchObject([{ status: 'warning' }]);
  });

  it('shows names with control characters harmlessly', async () => {
    const place = setup();
    const odd = join(place.root, 'od\u001b[31m\nd');
    mkdirSync(odd);
    symlinkSync(odd, join(place.root, 'link'));
    const ran = await runProgram(['doctor', '-C', join(place.root, 'link')], { place });
    expect(ran.stdout).not.toContain('\u001b');
    expect(ran.code).toBe(0);
  });
});
