/** The steps of the one decision, in their order, for tools and commands. */
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/policy/decide.js';
import type { PermissionMode, PolicyContext } from '../../src/types/policy.js';
import { contextOf, execCall, judge, PLACE, rule, toolCall } from './helpers.js';

const read = (file: string) => toolCall('@coder read', { file }, { reads: [file] });
const write = (file: string) => toolCall('@coder write', { file, content: 'x' }, { writes: [file], edits: true });

describe('what loosens the sandbox', () => {
  const loose = (command: string, how: 'outside' | 'agent') => execCall(command, { [how]: true });
  const everything = [rule('allow', '*'), rule('allow', '@coder exec')];

  it('always asks a person, whatever the command, the rules and the mode', () => {
    for (const how of ['outside', 'agent'] as const)
      for (const command of ['ls', 'npm install', 'echo x > a.txt']) {
        for (const mode of ['default', 'auto', 'accept-edits'] as const)
          expect(decide(loose(command, how), contextOf(everything, { mode }))).toMatchObject({ verdict: 'immune', step: 3 });
        expect(decide(loose(command, how), contextOf([], { mode: 'plan' }))).toMatchObject({ verdict: 'deny', step: 8 });
      }
    expect(decide(loose('ls', 'outside'), contextOf()).reason).toBe('It would run without the sandbox, which is always asked.');
    expect(decide(execCall('ls', { outside: false }), contextOf()).verdict).toBe('allow');
  });

  it('hides no other reason, and lifts neither denials nor dangers', () => {
    const sudo = decide(loose('sudo ls', 'outside'), contextOf());
    expect(sudo).toMatchObject({ verdict: 'immune', part: 'sudo ls' });
    expect(sudo.reason).toMatch(/^It would run without the sandbox\. Also: .*sudo/);
    expect(decide(loose('rm -rf /', 'outside'), contextOf()).verdict).toBe('deny');
    expect(decide(loose('ls', 'outside'), contextOf([rule('deny', '@coder exec --outside')])).verdict).toBe('deny');
  });

  it('what a person agreed to is judged like any other command afterwards', () => {
    const agreed = () => true;
    const verdict = (command: string, mode: PermissionMode = 'default') =>
      decide(loose(command, 'outside'), contextOf([], { agreed, mode })).verdict;
    expect(verdict('npm install')).toBe('ask');
    expect(verdict('npm install', 'auto')).toBe('allow');
    expect(verdict('sudo ls', 'auto')).toBe('immune');
  });
});

describe('places come before everything', () => {
  const everything = [rule('allow', '*')];

  it.each([
    ['/etc/shadow', 'Sensitive'],
    ['/etc/ssh/sshd_config', 'Sensitive'],
    ['/proc/self/environ', 'Sensitive'],
    ['/etc/hostname', 'OutsideWorkspace'],
    ['../other/a.ts', 'OutsideWorkspace'],
    ['~/notes.txt', 'OutsideWorkspace'],
  ] as const)('refuses to read or write %s', (file, code) => {
    for (const mode of ['default', 'auto', 'accept-edits', 'plan'] as const) {
      expect(decide(read(file), contextOf(everything, { mode }))).toMatchObject({ verdict: 'deny', code });
      expect(decide(write(file), contextOf(everything, { mode }))).toMatchObject({ verdict: 'deny', code });
    }
  });

  it('refuses to write inside .git, but lets it be read', () => {
    expect(decide(write('.git/hooks/pre-commit'), contextOf(everything))).toMatchObject({ verdict: 'deny', code: 'Sensitive' });
    expect(decide(read('.git/HEAD'), contextOf())).toMatchObject({ verdict: 'allow', step: 6 });
  });

  it('lets scratch be read and never written', () => {
    const spill = '~/.chatcli/scratch/s1/spill-1.txt';
    expect(decide(read(spill), contextOf()).verdict).toBe('allow');
    expect(decide(write(spill), contextOf(everything))).toMatchObject({ verdict: 'deny', code: 'OutsideWorkspace' });
  });

  it.each([
    '.env',
    'sub/.env.local',
    '~/.ssh/id_rsa',
    '~/.aws/credentials',
    '~/.chatcli/coder_policy.json',
    '.chatcli/config.json',
    'coder_policy.json',
  ])('always asks for %s', (file) => {
    for (const mode of ['default', 'auto', 'accept-edits'] as const) {
      expect(decide(read(file), contextOf(everything, { mode }))).toMatchObject({
        verdict: 'immune',
        step: 3,
        code: 'Sensitive',
      });
      expect(decide(write(file), contextOf(everything, { mode }))).toMatchObject({ verdict: 'immune', code: 'Sensitive' });
    }
  });

  it('still refuses what a deny rule names', () => {
    expect(decide(read('.env'), contextOf([rule('deny', '@coder read')]))).toMatchObject({
      verdict: 'deny',
      step: 1,
      code: 'Blocked',
    });
  });

  it('does not ask for shared examples', () => {
    expect(decide(read('.env.example'), contextOf()).verdict).toBe('allow');
  });
});

describe('the order of the steps', () => {
  it('deny beats allow, however short', () => {
    expect(
      decide(read('src/a.ts'), contextOf([rule('allow', '@coder read --file src/a.ts'), rule('deny', '@coder read')])),
    ).toMatchObject({ verdict: 'deny', step: 1 });
  });

  it('dangerous beats rules, immune beats rules', () => {
    expect(judge('rm -rf /', [rule('allow', '@coder exec')])).toMatchObject({ verdict: 'deny', step: 2, code: 'Blocked' });
    expect(judge('sudo ls', [rule('allow', '@coder exec')])).toMatchObject({ verdict: 'immune', step: 3 });
  });

  it('the longest rule wins, a tie allows', () => {
    expect(
      decide(write('src/a.ts'), contextOf([rule('allow', '@coder write'), rule('ask', '@coder write --file src')])),
    ).toMatchObject({ verdict: 'ask', step: 4 });
    expect(
      decide(write('src/a.ts'), contextOf([rule('ask', '@coder write'), rule('allow', '@coder write --file src')])),
    ).toMatchObject({ verdict: 'allow', step: 4 });
    expect(decide(write('src/a.ts'), contextOf([rule('ask', '@coder write'), rule('allow', '@coder write')])).verdict).toBe(
      'allow',
    );
    expect(decide(write('src/a.ts'), contextOf([rule('allow', '@coder write'), rule('ask', '@coder write')])).verdict).toBe(
      'allow',
    );
  });

  it('reading tools and reading commands pass, the rest asks', () => {
    expect(decide(read('src/a.ts'), contextOf())).toMatchObject({ verdict: 'allow', step: 6 });
    expect(judge('git status')).toMatchObject({ verdict: 'allow', step: 5 });
    expect(decide(write('src/a.ts'), contextOf())).toMatchObject({ verdict: 'ask', step: 7, code: 'Denied' });
    expect(judge('npm test')).toMatchObject({ verdict: 'ask', step: 7, part: 'npm test' });
  });

  it('an ask rule stops even a reader', () => {
    expect(judge('git status', [rule('ask', '@coder exec git')])).toMatchObject({ verdict: 'ask', step: 4 });
    expect(decide(read('a.ts'), contextOf([rule('ask', '@coder read')])).verdict).toBe('ask');
  });

  it('the rule the original wrote by itself is no rule', () => {
    expect(judge('git status', [rule('ask', '@coder exec')])).toMatchObject({ verdict: 'allow', step: 5 });
    expect(judge('npm test', [rule('ask', '@coder exec'), rule('allow', '@coder exec npm test')]).verdict).toBe('allow');
  });

  it('a job that outlives the run asks even when it only reads', () => {
    expect(decide(execCall('ls', { background: true, keep: true }), contextOf()).verdict).toBe('ask');
    expect(decide(execCall('ls', { background: true }), contextOf()).verdict).toBe('allow');
  });

  it('no rule and no mode lets a job outlive the run, and nothing stricter is weakened', () => {
    const kept = (command: string) => execCall(command, { background: true, keep: true });
    const rules = [rule('allow', '@coder exec'), rule('allow', '@coder exec --cmd npm'), rule('allow', '*')];
    expect(decide(kept('npm start'), contextOf(rules))).toMatchObject({ verdict: 'ask', step: 3, code: 'Denied' });
    expect(decide(kept('npm start'), { ...contextOf(rules), mode: 'auto' }).verdict).toBe('ask');
    expect(decide(kept('npm start'), { ...contextOf(), mode: 'accept-edits' }).verdict).toBe('ask');
    expect(decide(kept('ls'), { ...contextOf(), mode: 'plan' }).verdict).toBe('deny');
    expect(decide(kept('sudo ls'), contextOf()).verdict).toBe('immune');
    expect(decide(kept('rm -rf /'), contextOf()).verdict).toBe('deny');
    expect(decide(kept('npm start'), contextOf([rule('deny', '@coder exec --keep')])).verdict).toBe('deny');
    expect(decide(toolCall('mcp_x_y', { keep: true }, {}), contextOf([rule('allow', 'mcp_x_y')])).verdict).toBe('allow');
  });

  it('works in the folder the call names', () => {
    const call = execCall('cat ../a.ts', { dir: 'src' });
    expect(decide(call, contextOf()).verdict).toBe('allow');
    expect(decide(execCall('cat ../a.ts'), contextOf()).verdict).toBe('ask');
  });
});

describe('modes', () => {
  const verdict = (mode: PermissionMode, judged: Parameters<typeof decide>[0], rules: Parameters<typeof contextOf>[0] = []) =>
    decide(judged, contextOf(rules, { mode })).verdict;

  it('accept-edits agrees to edits inside, to nothing else', () => {
    expect(verdict('accept-edits', write('src/a.ts'))).toBe('allow');
    expect(verdict('accept-edits', toolCall('@coder clean', {}, { readOnly: false, edits: true }))).toBe('allow');
    expect(verdict('accept-edits', execCall('npm test'))).toBe('ask');
    expect(verdict('accept-edits', toolCall('@coder write', { file: 'a' }, { writes: ['a'] }))).toBe('ask');
    expect(verdict('accept-edits', write('.env'))).toBe('immune');
    expect(verdict('accept-edits', write('src/a.ts'), [rule('deny', '@coder write')])).toBe('deny');
  });

  it('plan only reads', () => {
    expect(verdict('plan', read('a.ts'))).toBe('allow');
    expect(decide(write('a.ts'), contextOf([rule('allow', '@coder write')], { mode: 'plan' }))).toMatchObject({
      verdict: 'deny',
      step: 8,
    });
    expect(decide(write('a.ts'), contextOf([], { mode: 'plan' })).reason).toContain('plan mode');
    expect(verdict('plan', execCall('git log'))).toBe('allow');
    expect(verdict('plan', execCall('npm test'), [rule('allow', '@coder exec')])).toBe('deny');
  });

  it('auto agrees, but not to immune, secret or outside', () => {
    expect(verdict('auto', write('a.ts'))).toBe('allow');
    expect(verdict('auto', execCall('npm test'))).toBe('allow');
    expect(verdict('auto', execCall('npm test > log.txt'))).toBe('allow');
    expect(verdict('auto', execCall('cat .env'))).toBe('immune');
    expect(verdict('auto', execCall('sudo ls'))).toBe('immune');
    expect(verdict('auto', execCall('cp a.ts /tmp/a.ts'))).toBe('ask');
    expect(verdict('auto', execCall('cat /etc/hostname'))).toBe('ask');
    expect(verdict('auto', execCall('echo x > ../b.txt'))).toBe('ask');
    expect(verdict('auto', execCall('cd /tmp && npm test'))).toBe('ask');
    expect(verdict('auto', execCall('touch "$X"'))).toBe('allow');
  });

  it('auto does not wave through what cannot be read', () => {
    for (const command of ['ls (', 'ls "', 'while x; do', 'l\u200bs', 'npm test `'])
      expect(verdict('auto', execCall(command)), command).not.toBe('allow');
  });

  it('auto does not let a hidden name pass a deny rule', () => {
    expect(verdict('auto', execCall('$(cat name) x'), [rule('deny', '@coder exec terraform')])).toBe('immune');
    expect(verdict('auto', execCall('$(cat name) x'))).toBe('allow');
  });
});

describe('faults of its own', () => {
  const broken: Partial<PolicyContext> = {
    locate: () => {
      throw new Error('boom');
    },
  };

  it('never throws, and asks', () => {
    for (const mode of ['default', 'auto', 'accept-edits'] as const) {
      expect(decide(execCall('npm test', { dir: 'sub' }), contextOf([], { ...broken, mode }))).toMatchObject({ verdict: 'ask' });
      expect(decide(execCall('npm test', { dir: 'sub' }), contextOf([], { ...broken, mode })).reason).toContain('internal error');
      expect(decide(execCall('cat a.txt'), contextOf([], { ...broken, mode })).verdict).not.toBe('deny');
    }
    expect(decide(execCall('npm test', { dir: 'sub' }), contextOf([], { ...broken, mode: 'plan' })).verdict).toBe('deny');
  });

  it('never makes a refusal milder', () => {
    expect(
      decide({ ...execCall('npm test', { dir: 'sub' }), writes: write('/etc/shadow').writes }, contextOf([], broken)).verdict,
    ).toBe('deny');
    expect(judge('rm -rf /', [], broken).verdict).toBe('deny');
    expect(judge('sudo ls', [], broken).verdict).toBe('immune');
  });

  it('gives the same answer twice', () => {
    const context = contextOf([rule('allow', '@coder exec npm')]);
    for (const command of ['npm test', 'rm -rf /', 'ls', `cat ${PLACE.home}/x`])
      expect(decide(execCall(command), context)).toEqual(decide(execCall(command), context));
  });
});

describe('broken rule files', () => {
  const context = (mode: PermissionMode = 'default') =>
    contextOf([rule('allow', '*')], {
      mode,
      rules: { rules: [rule('allow', '*')], broken: [{ file: '/x/coder_policy.json', reason: 'it is not valid JSON' }] },
    });

  it('refuse everything but reading, and name the file', () => {
    expect(decide(read('a.ts'), context()).verdict).toBe('allow');
    expect(decide(execCall('git status'), context()).verdict).toBe('allow');
    for (const judged of [
      write('a.ts'),
      execCall('npm test'),
      toolCall('@webfetch', { url: 'https://x' }, { readOnly: false }),
    ]) {
      for (const mode of ['default', 'auto', 'accept-edits'] as const) {
        const decision = decide(judged, context(mode));
        expect(decision).toMatchObject({ verdict: 'deny', step: 1, code: 'Blocked' });
        expect(decision.reason).toContain('/x/coder_policy.json');
      }
    }
  });
});
