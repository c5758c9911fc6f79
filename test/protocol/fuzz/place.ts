/** A workspace full of traps, a home and a folder outside beside it, and what must not change there. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface FuzzPlace {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly state: string;
  readonly outside: string;
  /** What no call may touch, with its content: outside, and home but for our state and the caches of tools (gopls fills Go's). */
  untouchable(): Record<string, string>;
  /** Names of temporary files of ours that were left anywhere below. */
  strays(): string[];
  remove(): void;
}

const GIT_ENV = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };

export function makeFuzzPlace(): FuzzPlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-fuzz-')));
  const [workspace, home, outside] = ['ws', 'home', 'outside'].map((name) => join(root, name)) as [string, string, string];
  const state = join(home, '.chatcli');
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  put('outside/secret.txt', 'outside\nold\n');
  put('outside/sub/deep.txt', 'deep\n');
  put('home/.ssh/id_rsa', 'PRIVATE\n');
  put('home/.bashrc', '# rc\n');
  put('home/notes.txt', 'mine\n');
  mkdirSync(state);
  put('ws/package.json', '{"name":"fuzz","scripts":{"test":"node --test test"}}\n');
  put('ws/test/a.test.js', "require('node:test')('one', () => {});\n");
  put('ws/main.go', 'package main\n\nfunc main() {\n\tprintln("old")\n}\n');
  put('ws/a.txt', 'one\ntwo old\nthree\n');
  put('ws/crlf.txt', 'one\r\ntwo old\r\nthree\r\n');
  put('ws/utf16.txt', Buffer.from('\ufeffone\ntwo old\n', 'utf16le'));
  put('ws/bytes.bin', Buffer.from([0, 255, 128, 10, 13, 0x1b, 0x5b]));
  put('ws/latin.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9, 10]));
  put('ws/no-end.txt', 'no end');
  put('ws/empty.txt', '');
  put('ws/.env', 'KEY=secret\n');
  put('ws/big.txt', 'a line of some length, old and new\n'.repeat(9000));
  put('ws/long.txt', `${'x'.repeat(200_000)}old\n`);
  put('ws/src/b c.txt', 'space old\n');
  put('ws/src/--pre=x', 'option\n');
  put('ws/src/日本.txt', 'old 日本\n');
  put('ws/.gitignore', 'ignored/\n');
  put('ws/ignored/x.txt', 'old\n');
  put('ws/user.bak', 'not ours\n');
  symlinkSync('../outside/secret.txt', join(workspace, 'link-out.txt'));
  symlinkSync('../outside', join(workspace, 'link-dir'));
  symlinkSync('../outside/none.txt', join(workspace, 'dangling.txt'));
  symlinkSync('a.txt', join(workspace, 'link-in.txt'));
  symlinkSync('loop', join(workspace, 'loop'));
  linkSync(join(workspace, 'a.txt'), join(workspace, 'hard.txt'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args], { cwd: workspace, env: GIT_ENV });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
  writeFileSync(join(workspace, 'src/b c.txt'), 'space changed old\n');
  return {
    root,
    workspace,
    home,
    state,
    outside,
    untouchable: () => ({
      ...listed(outside, () => false),
      ...listed(home, (path) => path === state || path === join(home, '.cache')),
    }),
    strays: () => strays(root),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function listed(folder: string, isLeftOut: (path: string) => boolean): Record<string, string> {
  const all: Record<string, string> = {};
  const visit = (path: string): void => {
    if (isLeftOut(path)) return;
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) all[path] = `link ${readlinkSync(path)}`;
    else if (stat.isDirectory()) {
      all[path] = `folder ${(stat.mode & 0o777).toString(8)}`;
      for (const name of readdirSync(path)) visit(join(path, name));
    } else all[path] = `${(stat.mode & 0o777).toString(8)} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
  };
  visit(folder);
  return all;
}

function strays(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(^|\/)\.chatcli-[0-9a-f]+\.tmp$/.test(name),
  );
}
