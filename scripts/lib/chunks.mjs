// How the bundle is cut: what every start or every run loads anyway lies in one file each, because a file costs more to open than to hold.
import { join } from 'node:path';

const HEADER = 'src/app/modes/shell.ts';
const RUN = 'src/app/modes/headless.ts';

/** The chunks by name, first wins: what each of these modules imports statically, at any depth. */
const WHOLE = [
  ['cli', 'src/app/cli.ts'],
  ['common', HEADER, RUN],
  ['header', HEADER],
  ['run', RUN],
  ['shell', 'src/app/shell/run-shell.ts'],
];

/** For the bundler's `codeSplitting`. A closure imports nothing outside of itself and those before it, so no circle comes of it. */
export function wholeChunks(root) {
  const closures = new Map();
  const isOf = (entry, id, context) => {
    const known = closures.get(entry) ?? closureOf(join(root, entry), context);
    closures.set(entry, known);
    return known.has(id);
  };
  return WHOLE.map(([name, ...entries], index) => ({
    priority: WHOLE.length - index,
    name: (id, context) => (entries.every((entry) => isOf(entry, id, context)) ? name : null),
  }));
}

function closureOf(entry, context) {
  const members = new Set();
  const open = [entry];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (members.has(id)) continue;
    members.add(id);
    open.push(...(context.getModuleInfo(id)?.importedIds ?? []));
  }
  return members;
}

/**
 * The libraries of the services ask `zod/v3` for nothing but the names of its kinds, to tell schemas that no caller of ours makes;
 * all of it would be read at every start of a run.
 */
export function withoutOldZod() {
  const ID = '\0zod-kinds';
  return {
    name: 'without-old-zod',
    resolveId: (source, importer = '') => (source === 'zod/v3' && importer.includes('@ai-sdk') ? ID : null),
    load: (id) => (id === ID ? 'export const ZodFirstPartyTypeKind = new Proxy({}, { get: (_kinds, name) => name });' : null),
  };
}
