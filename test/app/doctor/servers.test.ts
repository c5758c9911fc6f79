/** What the doctor says of language servers: found, waiting for trust, switched off, named wrongly, missing. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DoctorPlace } from '../../../src/app/doctor/place.js';
import { lookAtLanguageServers } from '../../../src/app/doctor/servers.js';
import { recordTrust } from '../../../src/policy/trust.js';
import { createText } from '../../../src/ui/text/index.js';
import { makePlace, type Place } from '../../workspace/temp.js';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const look = (env: Record<string, string> = {}, all = false) => {
  const at = { root: place.ws, home: place.home, state: place.state, temp: '/tmp', sandbox: undefined };
  const doctor: DoctorPlace = { ...at, text: createText('en'), env, childEnv: { PATH: join(place.base, 'bin'), ...env } };
  return lookAtLanguageServers(doctor, all);
};

it('speaks of the languages of the folder only; for machines of all', () => {
  expect(look().map(({ text }) => text)).toEqual([
    'Language servers: none is needed, there are no files here of a language with one',
  ]);
  place.put('src/a.go', 'package a\n');
  place.put('b.json', '{}\n');
  place.put('node_modules/x/y.py', '');
  const [one, ...others] = look();
  expect(others).toEqual([]);
  expect(one).toMatchObject({ status: 'ok', text: 'Language server for go: none (none is needed)' });
  expect(one?.fix).toContain('go install golang.org/x/tools/gopls@latest');
  const all = look({}, true).map(({ values }) => values['variable']);
  expect(all).toEqual(expect.arrayContaining(['CHATCLI_LSP_GO_CMD', 'CHATCLI_LSP_PYTHON_CMD', 'CHATCLI_LSP_JSON_CMD']));
  expect(new Set(all).size).toBe(all.length);
});

it('says what is found, what waits for trust, what is switched off and what is named wrongly', () => {
  place.put('a.py', 'x = 1\n');
  place.put('node_modules/.bin/pyright-langserver', '#!/bin/sh\n');
  chmodSync(join(place.ws, 'node_modules/.bin/pyright-langserver'), 0o755);
  const said = (env: Record<string, string> = {}) => look(env).map(({ status, text }) => `${status} ${text}`);
  expect(said()).toEqual(['ok Language server for python: pyright-langserver waits until this folder is trusted']);
  expect(said({ CHATCLI_LSP_PYTHON_CMD: 'off' })).toEqual([
    'ok Language server for python: switched off by CHATCLI_LSP_PYTHON_CMD',
  ]);
  expect(said({ CHATCLI_LSP_PYTHON_CMD: 'no-such-server --stdio' })[0]).toMatch(
    /^warning .*CHATCLI_LSP_PYTHON_CMD names no-such-server/,
  );
  recordTrust(place.state, place.ws, 'trusted', [], 1);
  expect(said()).toEqual([`ok Language server for python: pyright (${join(place.ws, 'node_modules/.bin/pyright-langserver')})`]);
});

it('warns of a variable that names nothing, whatever files there are, and of settings that cannot be used', () => {
  const bad = { CHATCLI_LSP_TS_CMD: 'nosuch --x', CHATCLI_LSP_GO_CMD: '"unclosed', CHATCLI_CODER_AUTODIAG: 'maybe' };
  const said = look({ ...bad, CHATCLI_CODER_AUTODIAG_TIMEOUT: '500' }).map(({ status, text }) => `${status} ${text}`);
  expect(said).toEqual([
    expect.stringMatching(/^warning .*CHATCLI_LSP_TS_CMD names nosuch/),
    expect.stringMatching(/^warning .*CHATCLI_LSP_GO_CMD cannot be read/),
    'warning CHATCLI_CODER_AUTODIAG=maybe cannot be used; on counts',
    'warning CHATCLI_CODER_AUTODIAG_TIMEOUT=500 cannot be used; 120 counts',
  ]);
  for (const value of ['0', 'abc', '1.5'])
    expect(look({ CHATCLI_CODER_AUTODIAG_TIMEOUT: value }).at(-1)?.text).toBe(
      `CHATCLI_CODER_AUTODIAG_TIMEOUT=${value} cannot be used; 8 counts`,
    );
  expect(look({ CHATCLI_CODER_AUTODIAG: 'on', CHATCLI_CODER_AUTODIAG_TIMEOUT: ' 20 ' }).map(({ status }) => status)).toEqual([
    'ok',
  ]);
});
