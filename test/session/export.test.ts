import { describe, expect, it } from 'vitest';
import { exportMarkdown } from '../../src/session/export.js';
import { answer, call, say, text } from './temp.js';

const labels = { user: 'You', assistant: 'Model', result: 'Result', untitled: 'Untitled' };

describe('exportMarkdown', () => {
  it('writes what was said in order, and nothing inside a fence can close it', () => {
    const out = exportMarkdown(
      {
        header: { type: 'session', version: 1, id: 's1', workspace: '/w', created: 0, app: 'x' },
        messages: [
          say('user', [text('Please')]),
          say('assistant', [text('I read.'), call('a')]),
          say('tool', [answer('a', '```\nfake\n``````\n# not a heading')]),
        ],
        plan: [],
        title: 'A `title`\nwith a line',
        updated: 0,
        damaged: 0,
      },
      labels,
    );
    expect(out).toContain('# A  title  with a line\n');
    expect(out).toContain('## You\n\nPlease\n\n## Model\n\nI read.\n\n**read**\n\n```\n{"file":"a"}\n```\n\n## Result');
    expect(out).toContain('```````\n```\nfake\n``````\n# not a heading\n```````');
  });
  it('has a name for a session without one', () => {
    const state = {
      header: { type: 'session', version: 1, id: 's', workspace: '', created: 0, app: '' } as const,
      messages: [],
      plan: [],
      title: '',
      updated: 0,
      damaged: 0,
    };
    expect(exportMarkdown(state, labels)).toContain('# Untitled');
  });
});
