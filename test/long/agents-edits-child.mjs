// Eight agents in one process that change the same files at random, each call noted before and after. Told by one JSON argument.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { modules, base, agents, files, edits, seed } = JSON.parse(process.argv[2]);
const load = (name) => import(pathToFileURL(modules[name]).href);
const [
  { openWorkspace },
  { createAgentViews },
  { withAgentView },
  { readTool },
  { patchTool },
  { writeTool },
  { multipatchTool },
] = await Promise.all(['open', 'views', 'wrap', 'read', 'patch', 'write', 'multipatch'].map(load));

const place = (name) => join(base, name);
const workspace = await openWorkspace({
  root: place('ws'),
  home: place('home'),
  state: place('state'),
  scratch: place('scratch'),
});
const views = createAgentViews('main');
const host = { childEnv: {}, home: place('home'), scratch: place('scratch'), state: place('state') };
const signal = new AbortController().signal;
const wrapped = Object.fromEntries(
  Object.entries({ read: readTool, patch: patchTool, write: writeTool, multipatch: multipatchTool }).map(([name, tool]) => [
    name,
    withAgentView(tool, views),
  ]),
);
const call = async (agent, name, args) => {
  try {
    const plan = { get: () => [], set: () => undefined };
    return await wrapped[name].run(args, { workspace, host, plan, agent, signal, progress: () => undefined });
  } catch (error) {
    return { isError: true, code: error.code ?? 'thrown', output: String(error.message) };
  }
};

let state = seed;
const random = (size) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * size);
};
const note = (entry) => appendFileSync(place('log.jsonl'), `${JSON.stringify(entry)}\n`);
const linesOf = (output) => [...output.matchAll(/^ *\d+ \| (.*)$/gm)].map((match) => match[1]);
let number = 0;

async function edit(agent) {
  const token = `t${seed}x${++number}`;
  const file = `f${random(files)}.txt`;
  const other = `f${random(files)}.txt`;
  const read = await call(agent, 'read', { file });
  const lines = linesOf(read.output);
  const at = random(lines.length);
  const line = lines[at];
  const changed = `${line} ${token}`;
  const kind = random(3);
  if (kind === 2 && other !== file) {
    const there = linesOf((await call(agent, 'read', { file: other })).output)[at];
    note({ token, targets: [file, other] });
    const edits_ = [
      { file, search: `${line}\n`, replace: `${changed}\n` },
      { file: other, search: `${there}\n`, replace: `${there} ${token}\n` },
    ];
    return note({ token, ...told(await call(agent, 'multipatch', { edits: edits_ })) });
  }
  note({ token, targets: [file] });
  const whole = lines.map((one, index) => (index === at ? changed : one)).join('\n');
  const result =
    kind === 0
      ? await call(agent, 'patch', { file, search: `${line}\n`, replace: `${changed}\n` })
      : await call(agent, 'write', { file, content: `${whole}\n` });
  note({ token, ...told(result) });
}

const told = ({ isError, code, output }) => ({ ok: !isError, code, output: isError ? output.slice(0, 4000) : undefined });

await Promise.all(
  Array.from({ length: agents }, async (_, index) => {
    for (let i = 0; i < edits / agents; i++) await edit(`agent-${index}`);
  }),
);
