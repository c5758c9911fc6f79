/** The subcommands of @coder, one line each. */
import type { Tool } from '../../types/tool.js';
import { checkpointTool } from './checkpoint.js';
import { cleanTool } from './clean.js';
import { execTool } from './exec.js';
import { gitBranchTool } from './git-branch.js';
import { gitChangedTool } from './git-changed.js';
import { gitDiffTool } from './git-diff.js';
import { gitLogTool } from './git-log.js';
import { gitStatusTool } from './git-status.js';
import { mapTool } from './map.js';
import { multipatchTool } from './multipatch.js';
import { outlineTool } from './outline.js';
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
  multipatchTool,
  treeTool,
  outlineTool,
  mapTool,
  searchTool,
  execTool,
  testTool,
  rollbackTool,
  cleanTool,
  checkpointTool,
  gitStatusTool,
  gitDiffTool,
  gitLogTool,
  gitChangedTool,
  gitBranchTool,
];
