import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { bestPaths, type CompletionSources, shellCompleter } from '../../../src/app/shell/completions.js';
import type { Command, CommandContext } from '../../../src/types/command.js';
import type { CompletionKind } from '../../../src/ui/editor/port.js';
import { createText } from '../../../src/ui/text/index.js';
import type { OpenWorkspace } from '../../../src/workspace/open-workspace.js';
import { makePlace, type Place } from '../../workspace/temp.js';

const places: Place[] = [];
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});
const newPlace = (files: readonly string[] = []): Place => {
  const place = makePlace();
  places.push(place);
  for (const file of files) place.put(file, 'x');
  return place;
};

async function asker(place: Place | undefined, sources: CompletionSources = {}) {
  const workspace: OpenWorkspace | undefined = await place?.open();
  const complete = shellCompleter(createText('en'), () => workspace, sources);
  return async (kind: CompletionKind, word: string, before = '') =>
    (await complete({ kind, word, before }, new AbortController().signal)).map(({ insert }) => insert);
}

describe('files', () => {
  it('are named nearest first, folders with a slash, and never what is ignored or private', async () => {
    const place = newPlace([
      'README.md',
      'src/main.ts',
      'src/deep/er/file.ts',
      'node_modules/x/index.js',
      '.git/config',
      '.gitignore',
      '.env',
      '.env.local',
      '.env.example',
      'sub/.env',
      'build/out.js',
      'logs/a.log',
      'keep.log',
      'secret/plan.md',
      'coder_policy.json',
      '.chatcli/config.json',
    ]);
    place.put('.gitignore', 'build/\n*.log\n!keep.log\n');
    place.put('.chatignore', 'secret/\n');
    place.link('outside', '/etc');
    place.link('passwd', '/etc/passwd');
    place.link('hidden-env', join(place.ws, '.env'));
    place.link('main-link.ts', 'src/main.ts');
    const ask = await asker(place);
    expect(await ask('mention', '')).toEqual([
      '.chatignore',
      '.env.example',
      '.gitignore',
      'README.md',
      'keep.log',
      'logs/',
      'main-link.ts',
      'src/',
      'sub/',
      'src/deep/',
      'src/main.ts',
      'src/deep/er/',
      'src/deep/er/file.ts',
    ]);
    for (const word of ['.env', 'env', 'passwd', 'policy', 'out.js', 'plan', 'config'])
      for (const found of await ask('mention', word)) expect(['.env.example', 'src/deep/er/file.ts']).toContain(found);
  });

  it('come in fuzzy order, and names with blanks in quotation marks', async () => {
    const place = newPlace([
      'src/ui/editor/editor.ts',
      'src/ui/editor/port.ts',
      'test/ui/editor.test.ts',
      'my notes.md',
      'a dir/x y.txt',
      'docs/editing.md',
    ]);
    const ask = await asker(place);
    expect(await ask('mention', 'editor')).toEqual([
      'src/ui/editor/',
      'test/ui/editor.test.ts',
      'src/ui/editor/editor.ts',
      'src/ui/editor/port.ts',
    ]);
    expect((await ask('mention', 'src/ui/'))[0]).toBe('src/ui/');
    expect(await ask('mention', 'uiport')).toEqual(['src/ui/editor/port.ts']);
    expect(await ask('mention', 'EDITING')).toEqual(['docs/editing.md']);
    expect(await ask('mention', 'notes')).toEqual(['"my notes.md"']);
    expect(await ask('mention', 'a d')).toEqual(['"a dir/', '"a dir/x y.txt"']);
    expect(await ask('mention', 'zzzz')).toEqual([]);
  });

  it('leave out names that cannot be typed, and what is gone or has become a link', async () => {
    const place = newPlace(['good.txt', 'new\nline.txt', 'quo"te.txt', 'esc\u001b[31m.txt', 'later/x.txt']);
    const ask = await asker(place);
    expect(await ask('mention', '')).toEqual(['good.txt', 'later/', 'later/x.txt']);
    rmSync(join(place.ws, 'later'), { recursive: true });
    place.link('later', '/etc');
    expect(await ask('mention', '')).toEqual(['good.txt']);
  });

  it('are none without a workspace or after an abort', async () => {
    expect(await (await asker(undefined))('mention', '')).toEqual([]);
    const workspace = await newPlace(['a']).open();
    const complete = shellCompleter(createText('en'), () => workspace);
    expect(await complete({ kind: 'mention', word: '', before: '' }, AbortSignal.abort())).toEqual([]);
  });

  it('are ordered by what is written so before what is alike', () => {
    const file = (path: string) => ({
      path,
      lower: path.toLowerCase(),
      name: path.toLowerCase().split('/').at(-1) ?? '',
      depth: path.split('/').length - 1,
    });
    const files = ['m/a/i/n.ts', 'deep/in/main.go', 'remain.txt', 'domain/x.ts', 'main', 'src/main.ts'].map(file);
    expect(bestPaths('main', files)).toEqual([
      'main',
      'src/main.ts',
      'deep/in/main.go',
      'remain.txt',
      'domain/x.ts',
      'm/a/i/n.ts',
    ]);
  });
});

describe('agents and words behind @', () => {
  it('come before files, and may fail', async () => {
    const place = newPlace(['tests.txt']);
    const mentions = () =>
      Promise.resolve([
        { name: 'tester', about: 'runs tests' },
        { name: 'coder', about: '' },
      ]);
    expect(await (await asker(place, { mentions }))('mention', 'te')).toEqual(['tester', 'tests.txt']);
    expect(await (await asker(place, { mentions: () => Promise.reject(new Error('no')) }))('mention', 'te')).toEqual([
      'tests.txt',
    ]);
  });
});

describe('commands', () => {
  const command = (name: string, aliases: readonly string[] = [], complete?: Command['complete']): Command => ({
    name,
    aliases,
    summary: 'command.help',
    run: () => undefined,
    ...(complete ? { complete } : {}),
  });
  const commands = () => [
    command('undo'),
    command('exit', ['quit', 'q']),
    command('model', [], (_word, _context, before) =>
      before === ''
        ? [{ insert: 'gpt-5', detail: 'x' }, { insert: 'claude' }, { insert: 'gp/', ends: false }]
        : [{ insert: `after-${before}` }],
    ),
    command('broken', [], () => {
      throw new Error('no');
    }),
    command('late', [], () => Promise.reject(new Error('no'))),
  ];
  const context = () => ({}) as CommandContext;

  it('are there at once, by name, by alias, then by what they hold', async () => {
    const complete = shellCompleter(createText('en'), () => undefined, { commands });
    const found = complete({ kind: 'command', word: '/q', before: '' }, new AbortController().signal);
    expect(Array.isArray(found) && found.map(({ insert, label }) => [insert, label])).toEqual([['/q', '/q (/exit)']]);
    const ask = await asker(undefined, { commands });
    expect(await ask('command', '/')).toEqual(['/broken', '/exit', '/late', '/model', '/undo']);
    expect(await ask('command', '/E')).toEqual(['/exit']);
    expect(await ask('command', '/qu')).toEqual(['/quit']);
    expect(await ask('command', '/nd')).toEqual(['/undo']);
    expect(await ask('command', '/zz')).toEqual([]);
  });

  it('are the real ones otherwise, with their summaries', async () => {
    const complete = shellCompleter(createText('en'), () => undefined);
    const found = await complete({ kind: 'command', word: '/', before: '' }, new AbortController().signal);
    expect(found.length).toBeGreaterThan(8);
    expect(found.find(({ insert }) => insert === '/help')?.detail?.length).toBeGreaterThan(3);
  });

  it('complete their own arguments, by any name, and may fail', async () => {
    const ask = await asker(undefined, { commands, context });
    expect(await ask('argument', 'g', '/model ')).toEqual(['gpt-5', 'gp/']);
    expect(await ask('argument', '', '/MODEL  one two ')).toEqual(['after-one two']);
    expect(await ask('argument', 'laud', '/model ')).toEqual(['claude']);
    for (const name of ['/undo ', '/broken ', '/late ', '/unknown ']) expect(await ask('argument', '', name), name).toEqual([]);
    expect(await (await asker(undefined, { commands }))('argument', 'g', '/model ')).toEqual([]);
  });
});
