/** Ids of workers: one name for one worker in all of a session, and never the name of another agent. */

const LONGEST = 64;

export interface WorkerIds {
  /** `coder`, then `coder-2` and so on: the first that is free. `agents` are the names of this moment. */
  next(agent: string, agents: readonly string[]): string;
}

/** `taken` are ids that mean somebody else, such as the caller's. */
export function createWorkerIds(taken: readonly string[]): WorkerIds {
  const used = new Set(taken);
  return {
    next(agent, agents) {
      const base = plain(agent);
      let id = base;
      // Its own name is what its first worker is called.
      for (let number = 2; used.has(id) || (id !== agent && agents.includes(id)); number++) id = `${base}-${number}`;
      used.add(id);
      return id;
    },
  };
}

/** A model may call anything an agent; what names a worker in events, folders and branches is one word. */
function plain(name: string): string {
  return (
    name
      .replace(/[^a-z0-9._-]+/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, LONGEST) || 'agent'
  );
}
