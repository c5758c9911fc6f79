/** Copies a program into the user's plugins folder, and writes one to begin with. Neither runs it. */
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { randomHex } from '../../base/clock.js';
import { pluginName } from '../../extensions/plugins/about.js';
import { codeOf } from '../../extensions/plugins/scan.js';
import { copyFile } from '../../extensions/plugins/vault.js';
import type { Config } from '../config.js';
import { UsageError } from '../usage-error.js';
import { pluginFolders } from './folders.js';
import { stem } from './load.js';

/** The path of the copy. Throws UsageError for what cannot be a plugin, errno errors of the disk. */
export function installPlugin(config: Config, given: string, { force = false }: { readonly force?: boolean }): string {
  const source = sourceOf(given);
  const file = basename(source);
  const { user } = pluginFolders(config);
  mkdirSync(user, { recursive: true, mode: 0o700 });
  const target = join(user, file);
  if (isThere(target) && !force) throw new UsageError('usage.pluginExists', { path: target }, 'usage.pluginExistsHint');
  const temporary = join(user, `.${randomHex(12)}.tmp`);
  try {
    copyFile(source, temporary, 0o700);
    // A link of that name is replaced, not what it leads to.
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw unfit(given, codeOf(error));
  }
  return target;
}

function sourceOf(given: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) throw unfit(given, 'an address');
  const source = resolve(given);
  const file = basename(source);
  try {
    const stat = statSync(source);
    if (!stat.isFile()) throw unfit(given, 'no ordinary file');
    if (process.platform !== 'win32' && (stat.mode & 0o111) === 0) throw unfit(given, 'not executable (chmod +x)');
  } catch (error) {
    throw error instanceof UsageError ? error : unfit(given, codeOf(error));
  }
  if (/\.sig$/i.test(file) || pluginName(stem(file)) === undefined)
    throw new UsageError('usage.pluginName', { name: file }, 'usage.pluginNameHint');
  return source;
}

function unfit(file: string, reason: string): UsageError {
  return new UsageError('usage.pluginNoFile', { file, reason }, 'usage.pluginNoFileHint');
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Writes a plugin that works into a folder; its path. Throws UsageError, errno errors of the disk. */
export function newPlugin(given: string, options: { readonly dir?: string; readonly node?: boolean }): string {
  const name = pluginName(given)?.slice(1);
  if (name === undefined) throw new UsageError('usage.pluginName', { name: given }, 'usage.pluginNameHint');
  const dir = resolve(options.dir ?? '.');
  mkdirSync(dir, { recursive: true });
  const path = join(dir, options.node ? `${stem(name)}.mjs` : name);
  if (isThere(path)) throw new UsageError('usage.pluginExists', { path });
  const called = options.node ? stem(name) : name;
  writeFileSync(path, (options.node ? NODE : SHELL).replaceAll('NAME', called), { flag: 'wx', mode: 0o755 });
  chmodSync(path, 0o755);
  return path;
}

const METADATA =
  '{"name": "@NAME", "description": "Counts lines and words of a file", "usage": "@NAME --file FILE", "version": "0.1.0"}';
const SCHEMA = '{"parameters": [{"name": "file", "type": "string", "required": true, "description": "File to count"}]}';

const SHELL = `#!/bin/sh
# A plugin: it says what it is (--metadata, --schema), and is called with words. No shell splits them, nothing comes on standard input.
case "$1" in
  --metadata)
    echo '${METADATA}'
    exit 0 ;;
  --schema)
    echo '${SCHEMA}'
    exit 0 ;;
esac

file=
while [ $# -gt 0 ]; do
  case "$1" in
    --file) file=$2; shift 2 || shift ;;
    --file=*) file=\${1#--file=}; shift ;;
    *) file=$1; shift ;;
  esac
done

# What stands on standard error is marked for the model; an exit code other than 0 is a failure.
if [ ! -f "$file" ]; then
  echo "no such file: $file" >&2
  exit 2
fi
lines=$(wc -l < "$file")
words=$(wc -w < "$file")
echo "$file: $((lines)) lines, $((words)) words"
`;

const NODE = `#!/usr/bin/env node
// A plugin: it says what it is (--metadata, --schema), and is called with words. Nothing comes on standard input.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const [question] = process.argv.slice(2);
if (question === '--metadata') {
  console.log('${METADATA}');
  process.exit(0);
}
if (question === '--schema') {
  console.log('${SCHEMA}');
  process.exit(0);
}

const { values, positionals } = parseArgs({ options: { file: { type: 'string' } }, allowPositionals: true });
const file = values.file ?? positionals[0] ?? '';
try {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\\n').length - 1;
  const words = text.split(/\\s+/).filter(Boolean).length;
  console.log(\`\${file}: \${lines} lines, \${words} words\`);
} catch (error) {
  // What stands on standard error is marked for the model; an exit code other than 0 is a failure.
  console.error(error.message);
  process.exitCode = 2;
}
`;
