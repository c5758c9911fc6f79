import { describe, expect, it } from 'vitest';
import { COMMANDS, completeSlash, parseSlash } from '../../src/commands/registry.js';
import type { CommandContext } from '../../src/types/command.js';
import { createText, type Language } from '../../src/ui/text/index.js';

function run(line: string, options: { rules?: string[]; language?: Language } = {}) {
  const text = createText(options.language ?? 'en');
  const printed: string[] = [];
  const state = { mode: 'chat', stopped: false };
  const context: CommandContext = {
    print: (words) => printed.push(words),
    t: (key, values) => text.find(key, values) ?? `missing ${key}`,
    session: {
      id: 's-1',
      get mode() {
        return state.mode;
      },
      setMode: (mode) => {
        state.mode = mode;
      },
    },
    model: { provider: 'OPENAI', id: 'm-1' },
    policyLines: () => options.rules ?? [],
    commands: () => COMMANDS,
    stop: () => {
      state.stopped = true;
    },
  };
  const slash = parseSlash(line);
  slash?.command?.run(slash.words, context);
  return { ...state, printed: printed.join('\n') };
}

describe('every command', () => {
  it('has a name of its own', () => {
    const names = COMMANDS.flatMap((command) => [command.name, ...command.aliases]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(COMMANDS.length);
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    '/%s can be called and has a summary in both languages',
    (_name, command) => {
      for (const language of ['en', 'pt-BR'] as const)
        expect(createText(language).find(command.summary), command.summary).toMatch(/^\S.{2,78}$/);
      for (const name of [command.name, ...command.aliases])
        expect(parseSlash(`/${name} some words`)).toMatchObject({ command, words: 'some words' });
      expect(run(`/${command.name}`).printed).not.toContain('missing');
    },
  );
});

describe('the commands', () => {
  it('list themselves', () => {
    const { printed } = run('/help', { language: 'pt-BR' });
    for (const { name } of COMMANDS) expect(printed).toMatch(new RegExp(`^  /${name}  `, 'm'));
    expect(printed.split('\n')[0]).toBe('Trabalho');
    expect(run('/help undo').printed.split('\n')).toHaveLength(1);
    expect(run('/help nothing').printed).toContain('Unknown command');
    expect(printed).toMatch(/^ {2}\/agent .*\(\/run\)$/m);
    expect(run('/help agent').printed).toContain('/agent, /run');
    expect(printed).toContain('Sai do shell');
  });
  it('change the mode, and say so unless a task follows', () => {
    expect(run('/coder')).toMatchObject({ mode: 'coder', printed: 'Mode: coder' });
    expect(run('/run do it')).toMatchObject({ mode: 'agent', printed: '' });
    expect(run('/chat')).toMatchObject({ mode: 'chat' });
  });
  it('show model, session and rules', () => {
    expect(run('/model').printed).toContain('OPENAI / m-1');
    expect(run('/session').printed).toContain('chatcli --resume s-1');
    expect(run('/policy', { rules: ['deny @coder exec'] }).printed).toBe('deny @coder exec');
    expect(run('/policy').printed).toContain('No rules');
  });
  it('leave', () => expect(run('/quit').stopped).toBe(true));
});

describe('parseSlash', () => {
  it('takes names apart from words', () => {
    expect(parseSlash('  /CODER   fix\n  this  ')).toMatchObject({ name: 'coder', words: 'fix\n  this', mode: 'coder' });
    expect(parseSlash('/run x')).toMatchObject({ mode: 'agent' });
    expect(parseSlash('/help')?.mode).toBeUndefined();
    expect(parseSlash('/unknown x')).toEqual({ name: 'unknown', words: 'x' });
    expect(parseSlash('/?')).toMatchObject({ name: '?', words: '' });
  });
  it.each(['hello', '/usr/bin/env x', '/', '//', '/etc', 'a /help', '/__proto__', ''])('%j', (line) => {
    const slash = parseSlash(line);
    if (line === '/etc') expect(slash).toEqual({ name: 'etc', words: '' });
    else expect(slash).toBeUndefined();
  });
});

describe('completeSlash', () => {
  it('gives commands that begin so', () => {
    expect(completeSlash('/ch')).toEqual(['/chat', '/checkpoint', '/checkpoints']);
    expect(completeSlash('/')).toHaveLength(COMMANDS.flatMap((command) => [command.name, ...command.aliases]).length);
    for (const line of ['', 'c', '/coder ', '/zzz']) expect(completeSlash(line)).toEqual([]);
  });
});
