/** Where keys come from, and that a bad one is told without being shown. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openai } from '../../../src/providers/openai.js';
import { findKey, hasKey } from '../../../src/providers/shared/key.js';
import { ask, request, user } from '../../helpers/wire/converse.js';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const entry = { name: 'TEST', keyVariables: ['TEST_KEY', 'TEST_TOKEN'], namedKeyVariables: ['SHARED_TOKEN'] };
const command = (code: string) => [process.execPath, '-e', code];
const env = { PATH: process.env.PATH };

describe('findKey', () => {
  it.each([
    [{ TEST_KEY: ' from-env\n', TEST_TOKEN: 'other' }, {}, 'from-env'],
    [{ TEST_KEY: '  ', TEST_TOKEN: 'second' }, {}, 'second'],
    [{ SHARED_TOKEN: 'shared' }, {}, 'shared'],
    [{ TEST_KEY: 'from-env' }, { keys: { TEST_KEY: 'from-file' } }, 'from-env'],
    [{}, { keys: { TEST_KEY: 'from-file' } }, 'from-file'],
    [{}, { keys: { TEST: 'by-name' } }, 'by-name'],
    [{}, { keyCommands: { TEST: command('console.log("printed\\nsecond line")') } }, 'printed'],
    [{}, {}, undefined],
  ])('%j %j', async (variables, config, expected) => {
    expect(await findKey(entry, { env: { ...env, ...variables }, config })).toBe(expected);
    expect(hasKey(entry, { env: variables, config }, { named: true })).toBe(expected !== undefined);
  });

  it('runs a key command without a shell', async () => {
    const mark = join(folder, 'pwned');
    const words = [process.execPath, '-e', 'console.log(process.argv[1])', `$(touch ${mark})`];
    await expect(findKey(entry, { env, config: { keyCommands: { TEST_KEY: words } } })).rejects.toThrow('a space');
    expect(() => writeFileSync(mark, '', { flag: 'wx' })).not.toThrow();
  });

  it.each([
    [{ TEST_KEY: 'two words' }, {}, 'the key in TEST_KEY holds a space'],
    [{ TEST_KEY: 'sk-“quoted”' }, {}, 'the key in TEST_KEY holds'],
    [{}, { keyCommands: { TEST: command('process.exit(3)') } }, 'failed (3)'],
    [{}, { keyCommands: { TEST: command('') } }, 'printed nothing'],
    [{}, { keyCommands: { TEST: ['no-such-command-anywhere'] } }, 'failed (ENOENT)'],
  ])('%j %j is refused', async (variables, config, message) => {
    await expect(findKey(entry, { env: { ...env, ...variables }, config })).rejects.toThrow(message);
  });

  it('a variable with other uses counts only when the provider was named', () => {
    expect(hasKey(entry, { env: { SHARED_TOKEN: 'x' }, config: {} }, { named: false })).toBe(false);
  });

  it('a failing key command is a fault of the request, with no output of the command in it', async () => {
    const keyCommands = { OPENAI_API_KEY: command('console.error("top secret"); process.exit(1)') };
    const { fault } = await ask(openai.create({ env, config: { keyCommands } }), request([user('x')]));
    expect(fault).toMatchObject({ kind: 'auth', retryable: false });
    expect(fault?.message).not.toContain('top secret');
  });
});
