/** The subcommands of @coder, one line each. */
import type { Tool } from '../../types/tool.js';
import { execTool } from './exec.js';
import { gitBranchTool } from './git-branch.js';
import { gitChangedTool } from './git-changed.js';
import { gitDiffTool } from './git-diff.js';
import { gitLogTool } from './git-log.js';
import { gitStatusTool } from './git-status.js';
import { patchTool } from './patch.js';
import { readTool } from './read.js';
import { rollbackTool } from './rollback.js';
import { searchTool } from './search.js';
import { testTool } from './test.js';
import { treeTool } from './tree.js';
import { writeTool } from './write.js';

export const CODER_TOOLS: readonly Tool[] = [
  readTool,
  writeTool,
  patchTool,
  treeTool,
  searchTool,
  execTool,
  testTool,
  rollbackTool,
  gitStatusTool,
  gitDiffTool,
  gitLogTool,
  gitChangedTool,
  gitBranchTool,
];
