/** What a session knows of a file: patching over someone's change, or reading part of it, is not knowing it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSeenStates } from '../../src/workspace/seen-states.js';
import { makePlace, type Place } from './temp.js';

const state = (text: string) => ({ mtimeMs: text.length, size: text.length, sha256: text });
const part = (from: number, to: number) => ({ from, to, total: 10 });

describe('seen states', () => {
  it('keep what was known when a change of others is written over', () => {
    const seen = createSeenStates();
    seen.read('f', state('one'));
    seen.wrote('f', state('theirs+ours'), state('theirs'));
    expect(seen.last('f')).toEqual(state('theirs+ours'));
    expect(seen.known('f')).toEqual(state('one'));
    seen.wrote('f', state('again'), state('theirs+ours'));
    expect(seen.known('f')).toEqual(state('one'));
    expect(createSeenStates(seen.all()).known('f')).toEqual(state('one'));
    seen.read('f', state('again'));
    expect(seen.known('f')).toEqual(state('again'));
  });
  it('take a new state as known when all its lines were shown, in however many reads', () => {
    const seen = createSeenStates();
    seen.read('f', state('one'), part(1, 3));
    expect(seen.known('f'), 'the first look').toEqual(state('one'));
    seen.read('f', state('theirs'), part(1, 4));
    seen.read('f', state('theirs'), part(8, 10));
    expect(seen.known('f')).toEqual(state('one'));
    seen.read('f', state('theirs'), part(5, 10));
    expect(seen.known('f')).toEqual(state('theirs'));
  });
  it('start anew when the file changes while it is read in parts', () => {
    const seen = createSeenStates([['f', state('one')]]);
    seen.read('f', state('two'), part(1, 5));
    seen.read('f', state('three'), part(6, 10));
    expect(seen.known('f')).toEqual(state('one'));
  });
});

describe('a copy beside a file that is not ours', () => {
  let place: Place;
  beforeEach(() => {
    place = makePlace();
  });
  afterEach(() => place.remove());
  it('is neither cleaned nor overwritten, also when it holds what our backup elsewhere holds', async () => {
    place.put('a', 'v1');
    place.put('a.bak', 'v1');
    const workspace = await place.open();
    await workspace.writeFile('a', Buffer.from('v2'));
    const cleaned = await workspace.cleanBackups('.', { dryRun: false, accepts: () => true });
    expect(cleaned.removed).toEqual([]);
    writeFileSync(join(place.ws, 'a'), 'v2');
    await workspace.writeFile('a', Buffer.from('v3'));
    await workspace.writeFile('a', Buffer.from('v4'));
    expect(readFileSync(join(place.ws, 'a.bak'), 'utf8')).toBe('v1');
  });
});
