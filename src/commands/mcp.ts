/** `/mcp`: says that there are no MCP servers yet. */
import type { Command } from '../types/command.js';

export const mcp: Command = {
  name: 'mcp',
  aliases: [],
  summary: 'command.mcp',
  group: 'project',
  run: (_words, { print, t }) => print(t('mcp.absent')),
};
