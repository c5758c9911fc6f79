/** All tools, one line each, in the order in which models see them. */
import type { Tool } from '../types/tool.js';
import { lspAtom } from './atoms/lsp.js';
import { procAtom } from './atoms/proc.js';
import { readAtom } from './atoms/read.js';
import { renameAtom } from './atoms/rename.js';
import { searchAtom } from './atoms/search.js';
import { todoAtom } from './atoms/todo.js';
import { treeAtom } from './atoms/tree.js';
import { CODER_TOOLS } from './coder/index.js';

export const TOOLS: readonly Tool[] = [readAtom, treeAtom, searchAtom, ...CODER_TOOLS, procAtom, lspAtom, renameAtom, todoAtom];
