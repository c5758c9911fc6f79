/** What is told about a terminal from its environment and its answers. */
import { describe, expect, it } from 'vitest';
import {
  backgroundFromReply,
  type Environment,
  readFeatures,
  readTraits,
  type ScreenOutput,
} from '../../../src/ui/screen/features.js';

const tty = { isTTY: true, columns: 100, rows: 30 } as ScreenOutput;
const of = (env: Environment, platform: NodeJS.Platform = 'linux', output: ScreenOutput = tty) =>
  readFeatures(output, env, platform);

describe('features', () => {
  it.each<[Environment, 0 | 4 | 8 | 24]>([
    [{ TERM: 'xterm-256color' }, 8],
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 24],
    [{ TERM: 'xterm-256color', COLORTERM: '24bit' }, 24],
    [{ TERM: 'xterm-kitty' }, 24],
    [{ TERM: 'xterm' }, 4],
    [{ TERM: 'screen' }, 4],
    [{ TERM: 'vt100' }, 0],
    [{ TERM: 'dumb', COLORTERM: 'truecolor' }, 0],
    [{ TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal' }, 8],
    [{ TERM: 'xterm-256color', WT_SESSION: 'x' }, 24],
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor', NO_COLOR: '1' }, 0],
    [{ TERM: 'xterm', NO_COLOR: '' }, 4],
    [{ TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: '3' }, 0],
    [{ TERM: 'xterm', FORCE_COLOR: '3' }, 24],
    [{ TERM: 'xterm-256color', FORCE_COLOR: '0' }, 0],
    [{ TERM: 'vt100', FORCE_COLOR: '1' }, 4],
    [{}, 0],
  ])('colours of %j: %i', (env, depth) => {
    expect(of(env).depth).toBe(depth);
  });

  it.each<[Environment, NodeJS.Platform, boolean]>([
    [{ TERM: 'xterm', LANG: 'pt_BR.UTF-8' }, 'linux', true],
    [{ TERM: 'xterm', LANG: 'C' }, 'linux', false],
    [{ TERM: 'xterm', LANG: 'pt_BR.UTF-8', LC_ALL: 'C' }, 'linux', false],
    [{ TERM: 'xterm', LC_ALL: '', LANG: 'en_US.utf8' }, 'linux', true],
    [{ TERM: 'xterm' }, 'linux', true],
    [{ TERM: 'linux', LANG: 'C.UTF-8' }, 'linux', false],
    [{}, 'win32', false],
    [{ WT_SESSION: 'x' }, 'win32', true],
  ])('unicode of %j on %s: %s', (env, platform, unicode) => {
    expect(of(env, platform).unicode).toBe(unicode);
  });

  it('cursor movement: not when dumb, not through a pipe', () => {
    expect(of({ TERM: 'xterm' }).moves).toBe(true);
    expect(of({ TERM: 'dumb' }).moves).toBe(false);
    expect(of({}).moves).toBe(false);
    expect(of({}, 'win32').moves).toBe(true);
    expect(of({ TERM: 'xterm' }, 'linux', {} as ScreenOutput)).toMatchObject({ moves: false, depth: 0, columns: 80, rows: 24 });
    expect(of({ TERM: 'xterm' }, 'linux', { isTTY: true, columns: 0, rows: 0 } as ScreenOutput)).toMatchObject({
      columns: 80,
      rows: 24,
    });
    expect(of({ COLUMNS: '132' }, 'linux', {} as ScreenOutput).columns).toBe(132);
  });

  it('background from COLORFGBG and from the answer', () => {
    expect(of({ COLORFGBG: '15;0' }).background).toBe('dark');
    expect(of({ COLORFGBG: '0;default;15' }).background).toBe('light');
    expect(of({ COLORFGBG: '0;default' }).background).toBe('unknown');
    expect(backgroundFromReply('11;rgb:1e1e/1e1e/2e2e')).toBe('dark');
    expect(backgroundFromReply('11;rgb:f/f/f')).toBe('light');
    expect(backgroundFromReply('11;rgba:ffff/ffff/ffff/ffff')).toBe('light');
    expect(backgroundFromReply('11;#002b36')).toBe('dark');
    expect(backgroundFromReply('10;rgb:ffff/ffff/ffff')).toBeUndefined();
    expect(backgroundFromReply('11;rgb:x')).toBeUndefined();
  });

  it('what only the screen uses', () => {
    expect(readTraits({ TERM: 'xterm-256color' })).toEqual({
      reflow: 'usual',
      synchronized: true,
      notes: false,
      answers: true,
      keys: 'none',
    });
    expect(readTraits({ TERM: 'linux' })).toEqual({
      reflow: 'none',
      synchronized: false,
      notes: false,
      answers: false,
      keys: 'none',
    });
    expect(readTraits({ TERM: 'screen', STY: '1.x' })).toMatchObject({ reflow: 'none', synchronized: false });
    const tmux = { TMUX: '/tmp/x', TERM: 'screen-256color', TERM_PROGRAM: 'tmux' };
    expect(readTraits({ ...tmux, TERM_PROGRAM_VERSION: '3.3a' })).toMatchObject({
      reflow: 'usual',
      synchronized: false,
      keys: 'xterm',
    });
    expect(readTraits({ ...tmux, TERM_PROGRAM_VERSION: '3.4' })).toMatchObject({ synchronized: true });
    expect(readTraits({ TERM: 'xterm-256color', TERM_PROGRAM: 'vscode' })).toMatchObject({ reflow: 'xtermjs' });
    expect(readTraits({ TERM: 'xterm-256color', XTERM_VERSION: 'XTerm(370)' })).toMatchObject({ reflow: 'none', keys: 'xterm' });
    expect(readTraits({ TERM: 'xterm-kitty' })).toMatchObject({ keys: 'kitty', notes: true });
  });
});
