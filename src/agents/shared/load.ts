/** The agents of folders: Markdown files, read again whenever they changed, so that a new one needs no restart. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readRegular } from '../../base/read-regular.js';
import type { WorkerAgent } from '../../types/worker.js';
import { customAgent } from './agent-file.js';

export interface LoadedAgents {
  readonly agents: readonly WorkerAgent[];
  /** English sentences about what was left out, each with its file. */
  readonly warnings: readonly string[];
}

const LARGEST = 256 * 1024;
const MOST_FILES = 200;

/** Top-level `.md` files of the folders, in their order. Reserved names and duplicates are left out. Never throws. */
export async function loadCustomAgents(folders: readonly string[], reserved: ReadonlySet<string>): Promise<LoadedAgents> {
  const agents = new Map<string, WorkerAgent>();
  const warnings: string[] = [];
  for (const folder of folders) {
    for (const name of filesOf(folder)) {
      const file = join(folder, name);
      try {
        const text = readRegular(file, LARGEST).toString('utf8');
        const read = await customAgent(text, file, basename(name, '.md').toLowerCase());
        warnings.push(...read.warnings.map((warning) => `${file}: ${warning}`));
        const known = agents.get(read.agent.name);
        if (reserved.has(read.agent.name)) warnings.push(`${file}: the name ${read.agent.name} is reserved, so it is left out`);
        else if (known) warnings.push(`${file}: ${known.origin ?? 'another file'} has the name ${read.agent.name} already`);
        else agents.set(read.agent.name, read.agent);
      } catch (error) {
        warnings.push(`${file}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  return { agents: [...agents.values()], warnings };
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.md$/i.test(name))
      .sort()
      .slice(0, MOST_FILES);
  } catch {
    return [];
  }
}
