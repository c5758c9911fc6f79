/** The agents of folders: Markdown files, read again whenever they changed, so that a new one needs no restart. */
import { basename, join } from 'node:path';
import { AGENT_WALK, filesBelow } from '../../base/files-below.js';
import { oneLine } from '../../base/one-line.js';
import { readRegular } from '../../base/read-regular.js';
import { isUtf8 } from '../../base/text-encoding.js';
import { because, type Reason, ReasonError } from '../../types/reason.js';
import type { WorkerAgent } from '../../types/worker.js';
import { customAgent } from './agent-file.js';

/** What of a file could not be used. */
export interface FileWarning {
  readonly file: string;
  readonly why: Reason;
}

export interface LoadedAgents {
  readonly agents: readonly WorkerAgent[];
  readonly warnings: readonly FileWarning[];
}

/** A folder of agents; with `accepts`, only files whose bytes it takes count (`name`: path from the folder, with `/`). */
export interface AgentFolder {
  readonly path: string;
  accepts?(name: string, bytes: Uint8Array): boolean;
}

const LARGEST = 256 * 1024;
const MOST_FILES = 200;

/**
 * `.md` files of the folders and below, in their order. Reserved names and duplicates are left out. `reasonOf` says what was
 * thrown while one was read. Never throws.
 */
export async function loadCustomAgents(
  folders: readonly (string | AgentFolder)[],
  reserved: ReadonlySet<string>,
  reasonOf: (error: unknown) => Reason,
): Promise<LoadedAgents> {
  const agents = new Map<string, WorkerAgent>();
  const warnings: FileWarning[] = [];
  for (const given of folders) {
    const { path: folder, accepts }: AgentFolder = typeof given === 'string' ? { path: given } : given;
    const names = filesOf(folder);
    if (names.length > MOST_FILES)
      warnings.push({
        file: oneLine(folder),
        why: because`it holds ${names.length} files of agents; those behind the first ${MOST_FILES} are left out`,
      });
    for (const name of names.slice(0, MOST_FILES)) {
      const path = join(folder, name);
      const file = oneLine(path);
      try {
        const bytes = readRegular(path, LARGEST);
        if (accepts && !accepts(name, bytes)) continue;
        const read = await customAgent(textOf(bytes), path, basename(name).replace(/\.md$/i, ''));
        warnings.push(...read.warnings.map((why) => ({ file, why })));
        const known = agents.get(read.agent.name);
        if (reserved.has(read.agent.name))
          warnings.push({ file, why: because`the name ${read.agent.name} is reserved, so it is left out` });
        else if (known) warnings.push({ file, why: because`${known.origin ?? ''} has the name ${read.agent.name} already` });
        else agents.set(read.agent.name, read.agent);
      } catch (error) {
        warnings.push({ file, why: reasonOf(error) });
      }
    }
  }
  return { agents: [...agents.values()], warnings };
}

/** Throws ReasonError for what is no text in UTF-8. */
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes) || bytes.includes(0)) throw new ReasonError(because`it is no text in UTF-8`);
  return bytes.toString('utf8');
}

/** The folder's own files first, then those of its sub-folders. */
function filesOf(folder: string): string[] {
  const { files, odd } = filesBelow(folder, AGENT_WALK);
  const names = [...files, ...odd].filter((name) => /\.md$/i.test(name)).sort();
  const isOwn = (name: string) => !name.includes('/');
  return [...names.filter(isOwn), ...names.filter((name) => !isOwn(name))];
}
