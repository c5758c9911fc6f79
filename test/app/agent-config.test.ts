/** The variables of workers: their defaults, and what makes no sense counts as not given. */
import { describe, expect, it } from 'vitest';
import { agentConfig, durationMs } from '../../src/app/agent-config.js';
import { agentSettingLines, tellAgentSettings } from '../../src/app/agent-settings.js';
import type { Config } from '../../src/app/config.js';
import type { AgentEvent } from '../../src/types/event.js';
import { createText } from '../../src/ui/text/index.js';

describe('the settings of workers', () => {
  it('have the defaults of the documentation', () => {
    expect(agentConfig({})).toMatchObject({ parallel: true, workers: 4, turns: 10, ms: 300_000 });
    expect(agentConfig({}).modelOf('coder')).toBeUndefined();
    expect(agentConfig({}).effortOf('coder')).toBeUndefined();
  });

  it.each(['false', 'FALSE', ' 0 ', 'no', 'off'])('are off with %j, and wherever that is wanted', (value) => {
    expect(agentConfig({ CHATCLI_AGENT_PARALLEL_MODE: value }).parallel).toBe(false);
    expect(agentConfig({ CHATCLI_AGENT_PARALLEL_MODE: 'true' }).parallel).toBe(true);
    expect(agentConfig({ CHATCLI_AGENT_PARALLEL_MODE: 'true' }, false).parallel).toBe(false);
  });

  it('are read, within bounds', () => {
    const env = {
      CHATCLI_AGENT_MAX_WORKERS: '7',
      CHATCLI_AGENT_WORKER_MAX_TURNS: '100000',
      CHATCLI_AGENT_WORKER_TIMEOUT: '1h30m',
    };
    expect(agentConfig(env)).toMatchObject({ workers: 7, turns: 200, ms: 5_400_000 });
    for (const value of ['-1', '0', 'abc', '1e3', '4.5'])
      expect(agentConfig({ CHATCLI_AGENT_MAX_WORKERS: value, CHATCLI_AGENT_WORKER_TIMEOUT: `-${value}m` })).toMatchObject({
        workers: 4,
        ms: 300_000,
      });
  });

  it('are those of one agent by its name', () => {
    const config = agentConfig({
      CHATCLI_AGENT_SECURITY_AUDITOR_MODEL: 'small',
      CHATCLI_AGENT_FILE_MODEL: 'Inherit',
      CHATCLI_AGENT_FILE_EFFORT: 'HIGH',
      CHATCLI_AGENT_CODER_EFFORT: 'bogus',
    });
    expect([config.modelOf('security-auditor'), config.modelOf('file')]).toEqual(['small', undefined]);
    expect([config.effortOf('file'), config.effortOf('coder')]).toEqual(['high', undefined]);
  });

  it.each([
    ['90s', 90_000],
    ['5', 5000],
    ['1.5m', 90_000],
    ['250ms', 250],
    ['0', undefined],
    ['5x', undefined],
    ['', undefined],
    ['99h', 86_400_000],
  ] as const)('take %j for a time', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });
});

describe('values that make no sense', () => {
  it('are named with what counts in their place', () => {
    const env = {
      CHATCLI_AGENT_PARALLEL_MODE: 'maybe',
      CHATCLI_AGENT_MAX_WORKERS: 'abc',
      CHATCLI_AGENT_WORKER_MAX_TURNS: '100000',
      CHATCLI_AGENT_WORKER_TIMEOUT: 'xyz',
      CHATCLI_AGENT_PLANNER_EFFORT: 'huge',
    };
    const { faults } = agentConfig(env);
    expect(faults.map(({ name, counts }) => [name, counts])).toEqual([
      ['CHATCLI_AGENT_PARALLEL_MODE', 'true'],
      ['CHATCLI_AGENT_MAX_WORKERS', '4'],
      ['CHATCLI_AGENT_WORKER_MAX_TURNS', '200'],
      ['CHATCLI_AGENT_WORKER_TIMEOUT', '5m'],
      ['CHATCLI_AGENT_PLANNER_EFFORT', undefined],
    ]);
    expect(agentConfig(env, false).faults).toEqual([]);
    for (const language of ['en', 'pt-BR'] as const) {
      const lines = agentSettingLines({ agents: agentConfig(env) } as Config, createText(language));
      expect(lines[1]).toMatch(/^CHATCLI_AGENT_MAX_WORKERS=abc .* 4( counts)?\.$/);
      expect(lines[4]).toContain('CHATCLI_AGENT_PLANNER_EFFORT=huge');
    }
    const events: AgentEvent[] = [];
    tellAgentSettings({ agents: agentConfig(env) } as Config, (event) => void events.push(event));
    expect(events).toHaveLength(5);
  });

  it('are none of those that do', () => {
    const env = {
      CHATCLI_AGENT_PARALLEL_MODE: 'Yes',
      CHATCLI_AGENT_MAX_WORKERS: ' 7 ',
      CHATCLI_AGENT_WORKER_MAX_TURNS: '007',
      CHATCLI_AGENT_WORKER_TIMEOUT: '90',
      CHATCLI_AGENT_FILE_EFFORT: 'High',
      CHATCLI_AGENT_CODER_EFFORT: ' ',
      CHATCLI_AGENT_PLUGIN_MAX_TURNS: '50',
    };
    expect(agentConfig(env).faults).toEqual([]);
  });
});
