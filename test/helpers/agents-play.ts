/** Plays a task with agents: a scripted orchestrator and scripted workers over HTTP, a real repository, the built program. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePlace, type Place, type Ran, type RunOptions, runProgram } from './run-program.js';
import { crew, type Line, partOf } from './wire/crew.js';
import { envFor } from './wire/env.js';
import type { Reply, WireRequest } from './wire/script.js';
import { startWireServer, type WireServer } from './wire/server.js';

/** What a test must close; emptied by `closeAll`. */
const open: { close(): Promise<void> | void }[] = [];

/** Removes the repositories and servers of one test. */
export async function closeAll(): Promise<void> {
  for (const thing of open.splice(0)) await thing.close();
}

export const ENGINE = `import { readFileSync, writeFileSync } from 'node:fs';

export function handleRead(file) {
  return readFileSync(file, 'utf8').trimEnd();
}

export function handleWrite(file, text) {
  writeFileSync(file, text.endsWith('\\n') ? text : text + '\\n');
  return text.length;
}
`;
const TEST = `import assert from 'node:assert';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { handleRead, handleWrite } from '../src/engine.js';

const file = join(mkdtempSync(join(tmpdir(), 'engine-')), 'a.txt');
test('what is written can be read', () => {
  handleWrite(file, 'x');
  assert.equal(handleRead(file), 'x');
});
test('a written file ends with a line break', () => {
  handleWrite(file, 'x');
  assert.equal(readFileSync(file, 'utf8'), 'x\\n');
});
`;
export const call = (name: string, input: Record<string, unknown>) => ({ name, input });
export const says = (text: string): Reply => ({ text });
export const tag = (agent: string, task: string, more = '') =>
  `<agent_call agent="${agent}" task="${task}"${more ? ` ${more}` : ''} />`;

export function repository(files: Readonly<Record<string, string>> = {}): Place {
  const place = makePlace({
    files: {
      'package.json': '{"name":"engine","type":"module","scripts":{"test":"node --test"}}\n',
      'src/engine.js': ENGINE,
      'test/engine.test.js': TEST,
      ...files,
    },
  });
  open.push({ close: place.remove });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.workspace });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', 'as found');
  return place;
}

export interface Played {
  readonly ran: Ran;
  readonly place: Place;
  readonly server: WireServer;
  readonly parts: Readonly<Record<string, readonly Line[]>>;
  /** Requests of one part, in their order. */
  of(part: string): readonly WireRequest[];
  /** What the orchestrator was told after its turn number `turn` (from 1). */
  told(turn: number): string;
}

export interface Play {
  readonly parts: Readonly<Record<string, readonly Line[]>>;
  readonly place?: Place;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly mode?: string;
  readonly output?: string;
  readonly onStart?: RunOptions['onStart'];
}

export async function play({
  parts,
  place = repository(),
  args = [],
  env = {},
  mode = 'auto',
  output = 'json',
  onStart,
}: Play): Promise<Played> {
  const server = await startWireServer({ format: 'chat', script: crew(parts) });
  open.push(server);
  const words = ['coder', 'Split the engine: reading and writing apart.', '--output', output, '--permission-mode', mode, ...args];
  const ran = await runProgram(words, { place, env: { ...envFor(server), ...env }, onStart });
  const of = (part: string) => server.requests.filter((request) => partOf(request, parts) === part);
  const told = (turn: number): string => {
    const turns = of('main')[turn]?.conversation.turns ?? [];
    const spoke = turns.map(({ role }) => role).lastIndexOf('assistant');
    return turns
      .slice(spoke + 1)
      .flatMap((one) => [one.text, ...one.results.map((result) => result.text)])
      .filter(Boolean)
      .join('\n');
  };
  return { ran, place, server, parts, of, told };
}

export function homeFiles(place: Place, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(place.home, '.chatcli', dirname(path)), { recursive: true });
    writeFileSync(join(place.home, '.chatcli', path), text);
  }
}
