import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../../src/app/config.js';
import { openSessionUndo, readsOnly, undoFolder, undoNews } from '../../src/app/undo.js';
import { pruneUndo } from '../../src/app/undo-prune.js';
import { takeLock } from '../../src/base/file-lock.js';
import { eventCollector } from '../../src/testing.js';
import type { PolicyContext } from '../../src/types/policy.js';
import type { TakenLine } from '../../src/workspace/undo/lines.js';

const KEY = 'sk-test-1234567890';
let state = '';
beforeEach(() => {
  state = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-undo-app-')));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const config = (): Config => ({ state, env: { OPENAI_API_KEY: KEY }, keys: {} }) as unknown as Config;

describe('the store of a session', () => {
  it('keeps keys of model services out of its log', () => {
    const store = openSessionUndo({ config: config(), id: 's', emit: () => undefined });
    store.beginTurn({ number: 1, text: `use ${KEY}` });
    store.uncovered(`@coder exec curl -H ${KEY}`);
    const log = readFileSync(join(undoFolder({ state }, 's'), 'log.jsonl'), 'utf8');
    expect(log).toContain('use [hidden key]');
    expect(log).not.toContain(KEY);
  });

  it('tells once when nothing can be recorded', () => {
    mkdirSync(join(state, 'sessions'));
    writeFileSync(undoFolder({ state }, 's'), 'in the way');
    const { events, sink } = eventCollector();
    const store = openSessionUndo({ config: config(), id: 's', emit: sink });
    store.uncovered('one');
    store.uncovered('two');
    expect(events).toMatchObject([{ type: 'notice', code: 'undo-not-recorded', values: { reason: expect.any(String) } }]);
  });
});

describe('news for the model', () => {
  const line = (kind: 'undo' | 'redo', path: string): TakenLine => ({
    type: 'taken',
    id: '1',
    time: 1,
    turn: 't',
    kind,
    steps: [],
    kept: [],
    files: [{ path, before: null, after: null }],
  });
  it('names the files, and is nothing without any', () => {
    expect(undoNews([], String)).toBe('');
    expect(undoNews([{ ...line('undo', 'a'), files: [] }], String)).toBe('');
    expect(undoNews([line('undo', '/w/a'), line('redo', '/w/b')], (path) => path.slice(3))).toMatch(
      /^<undo>\nThe user took back changes of yours in: a\..*\nThe user brought back changes of yours in: b\..*\n<\/undo>$/,
    );
  });
});

describe('commands that are not looked at', () => {
  const context = {
    home: '/h',
    root: '/w',
    roots: ['/w'],
    locate: (given: string) => ({ given, real: `/w/${given}`, shown: given, zone: 'inside' }),
  } as unknown as PolicyContext;
  it.each([
    ['ls -la', true],
    ['cat a | grep b', true],
    ['git status', true],
    ['echo x > a', false],
    ['ls && rm a', false],
    ['npm test', false],
  ])('%s: %s', async (command, wanted) => expect(await readsOnly(command, context)).toBe(wanted));
});

describe('the stores of all sessions', () => {
  const DAY = 24 * 3600 * 1000;
  const make = (id: string, options: { age?: number; bytes?: number; log?: boolean } = {}) => {
    const folder = undoFolder({ state }, id);
    mkdirSync(join(folder, 'objects'), { recursive: true });
    writeFileSync(join(folder, 'objects', 'a'.repeat(64)), 'x'.repeat(options.bytes ?? 10));
    writeFileSync(join(folder, 'log.jsonl'), '');
    const time = new Date(Date.now() - (options.age ?? 0) * DAY);
    utimesSync(join(folder, 'log.jsonl'), time, time);
    if (options.log !== false) writeFileSync(join(state, 'sessions', `${id}.jsonl`), '');
  };
  const left = () =>
    readdirSync(join(state, 'sessions'))
      .filter((name) => name.endsWith('.undo'))
      .sort();

  it('go when they are old or their session is gone, never our own', async () => {
    make('own', { age: 99, log: false });
    make('old', { age: 31 });
    make('young', { age: 29 });
    make('deleted', { log: false });
    await pruneUndo({ state }, 'own', Date.now());
    expect(left()).toEqual(['own.undo', 'young.undo']);
  });

  it('go oldest first when they are too large together, but not while a process has them open', async () => {
    make('own', { bytes: 100 });
    for (const [id, age] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['open', 4],
    ] as const)
      make(id, { age, bytes: 100 });
    const lock = takeLock(join(state, 'sessions', 'open.lock'), 'x');
    await pruneUndo({ state }, 'own', Date.now(), 300);
    expect(left()).toEqual(['a.undo', 'b.undo', 'open.undo', 'own.undo']);
    if (lock.held) lock.release();
  });

  it('stay untouched by a session that recorded nothing', async () => {
    make('old', { age: 99 });
    await pruneUndo({ state }, 'none', Date.now());
    expect([left(), existsSync(undoFolder({ state }, 'none'))]).toEqual([['old.undo'], false]);
    await pruneUndo({ state: join(state, 'nowhere') }, 'none', Date.now());
  });
});
