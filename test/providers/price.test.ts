/** What is known about models, and what calls cost. */
import { describe, expect, it } from 'vitest';
import { costOf } from '../../src/providers/price.js';
import { modelInfo } from '../../src/providers/shared/catalogue.js';
import { FAMILIES } from '../../src/providers/shared/catalogue-table.js';

const usage = (more: object) => ({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, ...more });

describe('modelInfo', () => {
  it.each([
    [
      'OPENAI',
      'gpt-4.1-mini-2025-04-14',
      { contextWindow: 1_047_576, tools: true, price: { input: 0.4, output: 1.6, cacheRead: 0.025 * 4 } },
    ],
    ['OPENAI', 'gpt-5-codex', { responses: true }],
    ['OPENAI', 'gpt-5.4', { tools: true }],
    ['OPENROUTER', 'anthropic/claude-opus-4-5', { contextWindow: 200_000, price: { input: 5, output: 25 } }],
    ['CLAUDEAI', 'claude-opus-4-1-20250805', { price: { input: 15, output: 75 } }],
    ['GOOGLEAI', 'models/gemini-2.5-flash-lite', { price: { input: 0.1, output: 0.4 } }],
    ['MOONSHOT', 'Kimi-K2.6', { contextWindow: 256_000 }],
    ['GOOGLEAI', 'gemma-3-27b-it', { tools: false }],
    ['COMPATIBLE', 'never-heard-of', { contextWindow: 128_000, tools: true }],
    ['COMPATIBLE', '', { contextWindow: 128_000, tools: true }],
    ['COMPATIBLE', 'constructor', { contextWindow: 128_000, tools: true }],
  ])('%s %s', (provider, model, expected) => {
    expect(modelInfo(provider, model)).toMatchObject({ id: model, ...expected });
  });

  it('leaves the price of an unknown model open', () => {
    expect(modelInfo('COMPATIBLE', 'never-heard-of').price).toBeUndefined();
    expect(modelInfo('OPENAI', 'gpt-5.4').responses).toBeUndefined();
  });

  it("a model on one's own machine costs nothing", () => {
    expect(costOf(usage({ input: 1e6, output: 1e6 }), modelInfo('OLLAMA', 'qwen3'))).toBe(0);
  });

  it('takes the word of the user over the table, field by field', () => {
    const info = modelInfo('OPENAI', 'gpt-4o', { 'gpt-4o': { contextWindow: 1_000, tools: false }, toString: {} });
    expect(info).toMatchObject({ id: 'gpt-4o', contextWindow: 1_000, tools: false, price: { input: 2.5 } });
    expect(modelInfo('X', 'toString', {}).contextWindow).toBe(128_000);
  });

  it('has a sane table', () => {
    for (const [prefix, info] of Object.entries(FAMILIES)) {
      expect(prefix).toBe(prefix.toLowerCase());
      expect(info.contextWindow).toBeGreaterThanOrEqual(info.maxOutput ?? 0);
      if (info.price) expect(info.price.output).toBeGreaterThan(info.price.input);
      if (info.price?.cacheRead) expect(info.price.cacheRead).toBeLessThan(info.price.input);
    }
  });
});

describe('costOf', () => {
  const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

  it.each([
    [usage({ input: 1e6 }), price, 3],
    [usage({ output: 1e6, reasoning: 5e5 }), price, 15],
    [usage({ input: 1e6, cacheRead: 8e5, cacheWrite: 1e5 }), price, 0.3 + 0.24 + 0.375],
    [usage({ input: 1e6, cacheRead: 5e5 }), { input: 2, output: 8 }, 2],
    [usage({ input: 10, cacheRead: 50 }), price, (50 * 0.3) / 1e6],
    [usage({}), price, 0],
  ])('%j', (counts, cost, expected) => {
    expect(costOf(counts, { price: cost })).toBeCloseTo(expected, 10);
  });

  it('is unknown without a price, not zero', () => {
    expect(costOf(usage({ input: 5 }), {})).toBeUndefined();
  });
});
