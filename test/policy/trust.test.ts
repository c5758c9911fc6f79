/** Trust of folders: recorded exactly, kept private, lost on damage. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SERVER_KINDS } from '../../src/code/lsp/servers.js';
import { BUILD_FILES, SERVER_PROGRAMS, whatItBrings } from '../../src/policy/brings.js';
import {
  accepts,
  distrustFolder,
  NO_TRUST,
  recordTrust,
  trustedFolders,
  trustForRun,
  trustOf,
  trustRecord,
} from '../../src/policy/trust.js';

const trustFolder = (state: string, folder: string, time: number) =>
  recordTrust(state, folder, 'trusted', whatItBrings(folder), time);
const isTrusted = (state: string, folder: string) => trustRecord(state, folder)?.answer === 'trusted';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'policy-trust-'));
  mkdirSync(join(base, 'ws', 'sub'), { recursive: true });
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

describe('trust', () => {
  it('is given to one folder and taken back', () => {
    const state = join(base, 'state');
    expect(isTrusted(state, join(base, 'ws'))).toBe(false);
    trustFolder(state, join(base, 'ws'), 1000);
    expect(isTrusted(state, join(base, 'ws'))).toBe(true);
    expect(isTrusted(state, join(base, 'ws/'))).toBe(true);
    expect(isTrusted(state, join(base, 'ws', 'sub'))).toBe(false);
    expect(isTrusted(state, base)).toBe(false);
    expect(trustedFolders(state)).toHaveLength(1);
    expect(statSync(join(state, 'trust.json')).mode & 0o777).toBe(0o600);
    expect(distrustFolder(state, join(base, 'ws'))).toBe(true);
    expect(distrustFolder(state, join(base, 'ws'))).toBe(false);
    expect(isTrusted(state, join(base, 'ws'))).toBe(false);
  });

  it('means the same folder through a link', () => {
    const state = join(base, 'state');
    symlinkSync(join(base, 'ws'), join(base, 'link'));
    trustFolder(state, join(base, 'link'), 1000);
    expect(isTrusted(state, join(base, 'ws'))).toBe(true);
  });

  it('is not won by odd names or damage', () => {
    const state = join(base, 'state');
    mkdirSync(state);
    for (const text of ['', 'null', '[]', '{"folders":[]}', '{"folders":null}', '{"folders":{']) {
      writeFileSync(join(state, 'trust.json'), text);
      for (const folder of [join(base, 'ws'), '__proto__', 'constructor', 'toString'])
        expect(isTrusted(state, folder)).toBe(false);
    }
  });

  it('keeps what it does not know', () => {
    const state = join(base, 'state');
    mkdirSync(state);
    writeFileSync(join(state, 'trust.json'), JSON.stringify({ version: 3, folders: { '/a': { pins: ['x'] } } }));
    trustFolder(state, join(base, 'ws'), 5);
    const value = JSON.parse(readFileSync(join(state, 'trust.json'), 'utf8'));
    expect(value.version).toBe(3);
    expect(value.folders['/a']).toEqual({ pins: ['x'] });
  });

  it('pins files: what is new, changed or swapped counts for nothing', () => {
    const state = join(base, 'state');
    const ws = join(base, 'ws');
    const rules = '{"rules":[]}';
    mkdirSync(join(ws, '.chatcli'));
    writeFileSync(join(ws, '.chatcli', 'coder_policy.json'), rules);
    expect(accepts(trustOf(state, ws), '.chatcli/coder_policy.json', rules)).toBe(false);
    trustFolder(state, ws, 1);
    const trust = trustOf(state, ws);
    expect(accepts(trust, '.chatcli/coder_policy.json', rules)).toBe(true);
    expect(accepts(trust, '.chatcli/coder_policy.json', `${rules}\n`)).toBe(false);
    expect(accepts(trust, 'coder_policy.json', rules)).toBe(false);
    expect(accepts(trust, '__proto__', rules)).toBe(false);
    expect(accepts(NO_TRUST, '.chatcli/coder_policy.json', rules)).toBe(false);
    const run = trustForRun(whatItBrings(ws));
    expect(accepts(run, '.chatcli/coder_policy.json', rules)).toBe(true);
    expect(accepts(run, '.chatcli/coder_policy.json', '{"rules":[{"pattern":"*","action":"allow"}]}')).toBe(false);
    expect(accepts(run, 'coder_policy.json', 'anything')).toBe(false);
    recordTrust(state, ws, 'declined', whatItBrings(ws), 2);
    expect(trustOf(state, ws)).toEqual(NO_TRUST);
    expect(trustedFolders(state)).toEqual([]);
    expect(trustRecord(state, ws)?.answer).toBe('declined');
  });

  it('lists what a folder brings; pipes, links to nowhere and folders have no hash', () => {
    const ws = join(base, 'ws');
    mkdirSync(join(ws, '.env'));
    mkdirSync(join(ws, '.chatcli', 'plugins'), { recursive: true });
    mkdirSync(join(ws, '.claude', 'agents'), { recursive: true });
    writeFileSync(join(ws, '.chatcli', 'plugins', 'p'), '#!/bin/sh');
    writeFileSync(join(ws, '.claude', 'agents', 'a.md'), 'x');
    symlinkSync(join(ws, 'nowhere'), join(ws, '.mcp.json'));
    expect(whatItBrings(ws).map(({ kind, path, sha256 }) => [kind, path, sha256 !== undefined])).toEqual([
      ['env', '.env', false],
      ['mcp', '.mcp.json', false],
      ['plugin', '.chatcli/plugins/p', true],
      ['agent', '.claude/agents/a.md', true],
    ]);
    expect(whatItBrings(join(base, 'missing'))).toEqual([]);
  });
});

describe('agents and skills of a folder', () => {
  const put = (path: string, text: string | Buffer) => {
    mkdirSync(join(base, 'ws', path, '..'), { recursive: true });
    writeFileSync(join(base, 'ws', path), text);
  };
  const listed = () =>
    Object.fromEntries(whatItBrings(join(base, 'ws')).map(({ path, sha256, fault }) => [path, fault ?? sha256]));

  it('have a hash: an agent of its bytes, a package of the names and bytes of all its files', () => {
    put('.claude/agents/sub/deep/a.md', 'x');
    put('.claude/agents/notes.txt', 'x');
    put('.claude/skills/one/SKILL.md', 'x');
    put('.claude/skills/one/scripts/deep/go.sh', 'x');
    put('.claude/skills/two.md', 'x');
    put('.claude/skills/empty/readme.txt', 'x');
    const first = listed();
    expect(Object.keys(first)).toEqual(['.claude/agents/sub/deep/a.md', '.claude/skills/one', '.claude/skills/two.md']);
    for (const hash of Object.values(first)) expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const changes = [
      () => put('.claude/skills/one/scripts/deep/go.sh', 'y'),
      () => put('.claude/skills/one/.hidden', ''),
      () => renameSync(join(base, 'ws/.claude/skills/one/.hidden'), join(base, 'ws/.claude/skills/one/lib.py')),
    ];
    const seen = new Set([first['.claude/skills/one']]);
    for (const change of changes) {
      change();
      seen.add(listed()['.claude/skills/one']);
    }
    expect(seen.size).toBe(4);
    expect(listed()['.claude/skills/two.md']).toBe(first['.claude/skills/two.md']);
  });

  it('have none behind links, and beyond the limits of a package', () => {
    put('.claude/skills/linked/SKILL.md', 'x');
    symlinkSync('/etc/hostname', join(base, 'ws/.claude/skills/linked/scripts'));
    put('.claude/skills/many/SKILL.md', 'x');
    for (let index = 0; index < 500; index++) put(`.claude/skills/many/f${index}`, '');
    put('.claude/skills/wide/SKILL.md', 'x');
    put('.claude/skills/wide/blob', Buffer.alloc(20 * 1024 * 1024));
    mkdirSync(join(base, 'ws/.claude/agents'));
    symlinkSync('/etc/hostname', join(base, 'ws/.claude/agents/k.md'));
    symlinkSync(base, join(base, 'ws/.claude/skills/away'));
    mkdirSync(join(base, 'ws/.chatcli'));
    symlinkSync(join(base, 'elsewhere'), join(base, 'ws/.chatcli/agents'));
    mkdirSync(join(base, 'elsewhere'));
    expect(listed()).toEqual({
      '.chatcli/agents': 'link',
      '.claude/agents/k.md': 'link',
      '.claude/skills/away': 'link',
      '.claude/skills/linked': 'link',
      '.claude/skills/many': 'large',
      '.claude/skills/wide': 'large',
    });
  });
});

describe('language servers of a folder', () => {
  it('and what they build it by are listed, so that trust is asked about; a compiler that is no server is not', () => {
    const ws = join(base, 'ws');
    mkdirSync(join(ws, 'node_modules/.bin'), { recursive: true });
    mkdirSync(join(ws, 'node_modules/typescript'));
    for (const name of ['tsc', 'pyright-langserver', 'vite']) writeFileSync(join(ws, 'node_modules/.bin', name), '');
    writeFileSync(join(ws, 'node_modules/typescript/package.json'), '{"version":"5.9.3"}');
    writeFileSync(join(ws, 'Cargo.toml'), '');
    const listed = () => whatItBrings(ws).map(({ kind, path, pinned }) => [kind, path, pinned]);
    expect(listed()).toEqual([
      ['language-server', 'node_modules/.bin/pyright-langserver', false],
      ['language-server', 'Cargo.toml', false],
    ]);
    writeFileSync(join(ws, 'node_modules/typescript/package.json'), '{"version":"7.0.2"}');
    expect(listed()[0]).toEqual(['language-server', 'node_modules/.bin/tsc', false]);
  });

  it('are those of the table of servers', () => {
    expect(SERVER_KINDS.filter(({ npm }) => npm).map(({ command }) => command[0])).toEqual([...SERVER_PROGRAMS]);
    const markers = SERVER_KINDS.filter(({ runsProject, variable }) => runsProject && variable !== 'CHATCLI_LSP_PYTHON_CMD');
    expect(new Set(BUILD_FILES)).toEqual(new Set(markers.flatMap((kind) => kind.markers)));
  });
});

describe('trust, on odd ground', () => {
  const put = (path: string, text: string) => {
    mkdirSync(join(base, path, '..'), { recursive: true });
    writeFileSync(join(base, path), text);
  };

  it("in the home folder the user's own state is not taken for what the folder brings", () => {
    put('home/.chatcli/config.json', '{}');
    put('home/.chatcli/coder_policy.json', '{}');
    put('home/coder_policy.json', '{}');
    const brought = whatItBrings(join(base, 'home'), { state: join(base, 'home/.chatcli') });
    expect(brought.map(({ path }) => path)).toEqual(['coder_policy.json']);
  });

  it('a folder in the place of another counts only for the same bytes; one inside a trusted folder for nothing', () => {
    const state = join(base, 'state');
    put('ws/coder_policy.json', '{"rules":[]}');
    put('ws/sub/coder_policy.json', '{"rules":[]}');
    trustFolder(state, join(base, 'ws'), 1);
    expect(accepts(trustOf(state, join(base, 'ws/sub')), 'coder_policy.json', '{"rules":[]}')).toBe(false);
    renameSync(join(base, 'ws'), join(base, 'moved'));
    expect(trustOf(state, join(base, 'moved'))).toEqual(NO_TRUST);
    put('ws/coder_policy.json', '{"rules":[1]}');
    expect(accepts(trustOf(state, join(base, 'ws')), 'coder_policy.json', '{"rules":[1]}')).toBe(false);
  });

  it('what is recorded is what was looked at, also when the file changed meanwhile', () => {
    const state = join(base, 'state');
    put('ws/coder_policy.json', 'seen');
    const seen = whatItBrings(join(base, 'ws'));
    put('ws/coder_policy.json', 'swapped');
    recordTrust(state, join(base, 'ws'), 'trusted', seen, 1);
    expect(accepts(trustOf(state, join(base, 'ws')), 'coder_policy.json', 'swapped')).toBe(false);
    expect(accepts(trustOf(state, join(base, 'ws')), 'coder_policy.json', 'seen')).toBe(true);
  });

  it('a link is pinned by what it leads to; a damaged record is kept beside the new one', () => {
    const state = join(base, 'state');
    put('elsewhere.json', 'one');
    symlinkSync(join(base, 'elsewhere.json'), join(base, 'ws/coder_policy.json'));
    put('state/trust.json', '{"folders":{');
    trustFolder(state, join(base, 'ws'), 1);
    expect(readFileSync(join(state, 'trust.json.broken'), 'utf8')).toBe('{"folders":{');
    expect(accepts(trustOf(state, join(base, 'ws')), 'coder_policy.json', 'one')).toBe(true);
    put('elsewhere.json', 'two');
    const pins = trustOf(state, join(base, 'ws')).pins;
    expect(whatItBrings(join(base, 'ws'))[0]?.sha256).not.toBe(pins['coder_policy.json']);
    expect(readdirSync(state).sort()).toEqual(['trust.json', 'trust.json.broken']);
  });
});
