/** The subcommands of @coder, one line each. */
import type { Tool } from '../../types/tool.js';
import { execTool } from './exec.js';
import { gitBranchTool } from './git-branch.js';
import { gitChangedTool } from './git-changed.js';
import { gitDiffTool } from './git-diff.js';
import { gitLogTool } from './git-log.js';
import { gitStatusTool } from './git-status.js';
import { testTool } from './test.js';

export const CODER_TOOLS: readonly Tool[] = [execTool, testTool, gitStatusTool, gitDiffTool, gitLogTool, gitChangedTool, gitBranchTool];
