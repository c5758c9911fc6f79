/** Leaving the sandbox: a person is asked once for the same call, and never a rule, a mode or nobody. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { planStore } from '../../src/app/conversation.js';
import { createApp } from '../../src/app/create-app.js';
import { directCall, noProvider } from '../../src/app/direct-call.js';
import { loadConfig } from '../../src/app/load-config.js';
import type { AgentEvent } from '../../src/types/event.js';
import type { Answer, Approver, Question } from '../../src/types/policy.js';
import { sandboxMissing } from '../helpers/no-bubblewrap.js';
import { makePlace, type Place } from '../helpers/run-program.js';

const places: Place[] = [];
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

async function open(answer: Answer) {
  const place = makePlace({ files: { 'a.sh': 'touch "$HOME/out"\n', 'b.sh': 'true\n' } });
  places.push(place);
  const questions: Question[] = [];
  const events: AgentEvent[] = [];
  const approver: Approver = {
    canAsk: true,
    async ask(question) {
      questions.push(question);
      return answer;
    },
  };
  const loaded = loadConfig({ directory: place.workspace, isolatedState: join(place.home, '.chatcli'), permissionMode: 'auto' });
  const config = { ...loaded, home: place.home, childEnv: { ...loaded.childEnv, HOME: place.home } };
  const app = await createApp({ config, approver, id: 's', provider: noProvider, emit: (event) => events.push(event) });
  const exec = (args: Record<string, unknown>) =>
    directCall(app, '@coder exec', [JSON.stringify(args)], { plan: planStore([]), signal: new AbortController().signal });
  return { place, app, exec, questions, events };
}

describe('outside the sandbox', () => {
  it('is asked once for the same command, in auto mode too', async (context) => {
    if (sandboxMissing !== undefined) context.skip(`no sandbox here: ${sandboxMissing}`);
    const { place, app, exec, questions } = await open('yes');
    expect((await exec({ cmd: 'sh a.sh' })).output).toMatch(
      /Sandbox: ~\/out is read-only here[^\n]*\nIf it must be: exec with outside/,
    );
    expect(questions).toHaveLength(0);
    for (let i = 0; i < 2; i++) expect(await exec({ cmd: 'sh a.sh', outside: true })).toMatchObject({ isError: false });
    expect(questions).toHaveLength(1);
    expect(existsSync(join(place.home, 'out'))).toBe(true);
    await exec({ cmd: 'sh a.sh', agent: true });
    await exec({ cmd: 'sh b.sh', outside: true });
    await exec({ cmd: 'sh a.sh', outside: true, dir: '.' });
    expect(questions).toHaveLength(4);
    await app.close();
  });

  it('is a no where the answer is no', async () => {
    const { place, app, exec, questions } = await open('no');
    for (let i = 0; i < 2; i++)
      expect(await exec({ cmd: 'sh a.sh', outside: true })).toMatchObject({ isError: true, code: 'Denied' });
    expect(questions).toHaveLength(2);
    expect(existsSync(join(place.home, 'out'))).toBe(false);
    await app.close();
  });
});

describe('the sandbox of an application', () => {
  it('is neither loaded nor tried before the first command', async () => {
    const { place, app } = await open('yes');
    expect(existsSync(join(place.home, '.chatcli/cache/sandbox'))).toBe(false);
    expect(readdirSync(place.home).filter((name) => name !== '.chatcli')).toEqual([]);
    await app.close();
  });
});
