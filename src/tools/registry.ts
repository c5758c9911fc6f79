/** All tools, one line each, in the order in which models see them. */
import type { Tool } from '../types/tool.js';
import { CODER_TOOLS } from './coder/index.js';

export const TOOLS: readonly Tool[] = [...CODER_TOOLS];
