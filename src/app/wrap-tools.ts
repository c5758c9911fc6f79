/** What surrounds every tool. */
import { helpTool } from '../protocol/help-tool.js';
import { withAgentView } from '../tools/wrap/agent-view.js';
import { type BeforeChange, withCheckpointBefore } from '../tools/wrap/checkpoint-before.js';
import { withCurlyQuotes } from '../tools/wrap/curly-quotes.js';
import { type DiagnosticsWrap, withDiagnostics } from '../tools/wrap/diagnostics.js';
import { withHiddenKeys } from '../tools/wrap/hide-keys.js';
import { type SpillStore, withOutputCap } from '../tools/wrap/output-cap.js';
import { type UndoWrap, withUndo } from '../tools/wrap/undo.js';
import type { Tool } from '../types/tool.js';
import type { AgentViews } from '../workspace/agent-view.js';

export interface Wraps {
  readonly undo?: UndoWrap;
  readonly diagnostics?: DiagnosticsWrap;
  readonly views: AgentViews;
  readonly checkpoints: BeforeChange;
  readonly redact: (text: string) => string;
  readonly spill: SpillStore;
}

/** Everything that surrounds a tool, in one visible list, innermost first. */
export function wrapTools(tools: readonly Tool[], wraps: Wraps): Tool[] {
  const { undo, diagnostics } = wraps;
  return tools
    .map((tool) => withAgentView(tool, wraps.views))
    .map(withCurlyQuotes)
    .map((tool) => (undo ? withUndo(tool, { ...undo, changed: wraps.views.changed }) : tool))
    .map((tool) => (diagnostics ? withDiagnostics(tool, diagnostics) : tool))
    .map((tool) => withCheckpointBefore(tool, wraps.checkpoints))
    .map((tool) => withHiddenKeys(tool, wraps.redact))
    .map((tool) => withOutputCap(tool, wraps.spill));
}

/** The tools, and one that explains them. */
export function withHelp(tools: readonly Tool[]): Tool[] {
  return [...tools, helpTool(tools)];
}
