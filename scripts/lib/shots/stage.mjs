// One scene played: a home and a project of its own, the real program in a pseudo terminal, keys, and the picture of the window.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { newEmulator, windowCells, windowText } from './emulator.mjs';
import { startModel } from './server.mjs';
import { GROUNDS, svgOf } from './svg.mjs';

const WAIT_MS = 30_000;
const QUIET_MS = 350;

/** Times differ from run to run, in figures and in unit: each is this one, and what stands behind it moves along. */
const TIME = /\b\d+(?:[.,]\d+)? (?:ms|s|min)\b/;
const STEADY = '1.2 s';

function withSteadyTimes(rows) {
  return rows.map((row) => {
    const cells = [...row];
    for (let from = 0; ; ) {
      const text = cells.map((cell) => (cell.text.length === 1 ? cell.text : '\u0001')).join('');
      const found = TIME.exec(text.slice(from));
      if (!found) return cells;
      const at = from + found.index;
      const [first] = cells.slice(at);
      cells.splice(at, found[0].length, ...[...STEADY].map((letter) => ({ ...first, text: letter })));
      while (cells.length < row.length) cells.push({ ...cells.at(-1), text: ' ' });
      while (cells.length > row.length) cells.pop();
      from = at + STEADY.length;
    }
  });
}

function projectOf(root, { files = {}, git = true }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-shots-')));
  const project = join(folder, 'shop');
  cpSync(join(root, 'demo/sample'), project, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  const identity = ['-c', 'user.name=Shop', '-c', 'user.email=shop@example.invalid'];
  if (git)
    for (const words of [
      ['init', '-q'],
      ['add', '-A'],
      [...identity, 'commit', '-qm', 'shop'],
    ])
      spawnSync('git', words, { cwd: project });
  return { folder, project };
}

/** Plays `scene` with the program `main`; gives the SVG and the words on the window. Throws what was shown when a wait ends in vain. */
export async function shoot(scene, { root, main }) {
  const { columns = 100, rows = 40, ground = 'dark', answers = true } = scene;
  const { folder, project } = projectOf(root, scene);
  const model = await startModel(scene.model ?? {}, scene.models);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LANG: 'en_US.UTF-8',
    ...(scene.isBare
      ? {}
      : {
          LLM_PROVIDER: 'OPENAI',
          OPENAI_API_KEY: 'shot',
          OPENAI_MODEL: scene.modelName ?? 'gpt-5.2',
          OPENAI_API_URL: `http://127.0.0.1:${model.port}/v1/chat/completions`,
        }),
    // What is asked of the terminal may come too late on a busy machine; the picture must not hang on it.
    ...(answers ? { CHATCLI_THEME: ground } : {}),
    ...scene.env,
  };
  const child = spawn(process.execPath, [main, ...(scene.args ?? [])], {
    cols: columns,
    rows,
    cwd: project,
    env,
    encoding: 'utf8',
  });
  let ended = false;
  let last = Date.now();
  const { terminal, isCursorShown } = newEmulator({
    columns,
    rows,
    background: answers ? GROUNDS[ground].back : undefined,
    answer: (text) => {
      if (!ended) child.write(text);
    },
  });
  child.onData((text) => {
    last = Date.now();
    terminal.write(text);
  });
  const over = new Promise((done) => {
    child.onExit(() => {
      ended = true;
      done();
    });
  });
  const until = async (what, holds) => {
    const end = Date.now() + WAIT_MS;
    while (!holds()) {
      if (Date.now() > end || (ended && Date.now() - last > 1000))
        throw new Error(`${scene.name}: not shown: ${what}\n${windowText(terminal).join('\n')}`);
      await new Promise((next) => setTimeout(next, 25));
    }
  };
  const stage = {
    project,
    columns,
    see: (what) => until(what, () => windowText(terminal).join('\n').includes(what)),
    quiet: (ms = QUIET_MS) => until('quiet', () => Date.now() - last >= ms),
    keys: async (text) => {
      child.write(text);
      await new Promise((next) => setTimeout(next, 60));
    },
  };
  try {
    await scene.play({
      ...stage,
      say: async (text) => {
        await stage.keys(text);
        await stage.quiet(150);
        await stage.keys('\r');
      },
    });
    await stage.quiet();
    const buffer = terminal.buffer.active;
    const cursor = isCursorShown() ? { row: buffer.cursorY, column: buffer.cursorX } : undefined;
    const cells = withSteadyTimes(windowCells(terminal));
    return { svg: svgOf({ cells, columns, ground, title: scene.title, cursor }), words: windowText(terminal).join('\n') };
  } finally {
    if (!ended) child.kill('SIGKILL');
    await over;
    terminal.dispose();
    model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
