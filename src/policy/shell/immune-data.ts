/** Statements for databases and inline programs: what in their text always asks. */
import { optionSet, scanOptions } from './options.js';
import { possible, type ShellWord, type Simple } from './types.js';

const SQL_CLIENTS: Readonly<Record<string, string>> = {
  psql: '-c --command',
  pgcli: '-c --command',
  mysql: '-e --execute',
  mariadb: '-e --execute',
  mycli: '-e --execute',
  cockroach: '-e --execute',
  sqlite3: '-cmd --cmd',
  sqlite: '',
  duckdb: '-c -cmd',
  sqlcmd: '-Q -q',
  sqlplus: '',
  'clickhouse-client': '-q --query',
  clickhouse: '-q --query',
  mongosh: '--eval',
  mongo: '--eval',
  cqlsh: '-e --execute',
  usql: '-c --command',
  bq: '',
  snowsql: '-q --query',
  influx: '-execute',
};

/** Why a call of a database client always asks; undefined when it does not. */
export function databaseImmune(name: string, simple: Simple): string | undefined {
  const args = simple.words.slice(1);
  const texts = args.flatMap((word) => possible(word));
  if (name === 'dropdb' || name === 'dropuser') return `${name} deletes a database or its user`;
  if (name === 'mysqladmin' && texts.includes('drop')) return 'mysqladmin drop deletes a database';
  if (name === 'redis-cli' && texts.some((text) => /^(flushall|flushdb|shutdown)$/i.test(text)))
    return 'redis-cli empties or stops the store';
  if (/^(rails|rake)$/.test(name) && texts.some((text) => /^db:(drop|reset|purge|migrate:reset)/.test(text)))
    return `${name} deletes a database`;
  if (
    /^(prisma|supabase|sequelize|typeorm|artisan)$/.test(name) &&
    /\b(migrate reset|db reset|db:drop|schema:drop|migrate:fresh|db:wipe)\b/.test(texts.join(' '))
  )
    return `${name} deletes a database`;
  if (!Object.hasOwn(SQL_CLIENTS, name)) return undefined;
  const statements = [...texts, ...(simple.stdin ?? [])];
  return statements.map(sqlHarm).find((found) => found !== undefined);
}

/** What in a statement deletes data wholesale. Comments and doubled blanks do not hide it. */
export function sqlHarm(statement: string): string | undefined {
  const text = statement
    .replace(/\/\*!\d*/g, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\*\//g, ' ')
    .replace(/--[^\n]*/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase();
  if (/\bdrop (database|table|schema|user|role|index|view|keyspace|collection)\b/.test(text))
    return 'the statement drops part of a database';
  if (/\btruncate (table )?\S/.test(text)) return 'the statement empties a table';
  for (const part of text.split(';')) {
    if (!/\bdelete from \S+/.test(part)) continue;
    if (!/\bwhere\b/.test(part) || /\bwhere (1 ?= ?1|true|'1' ?= ?'1'|1)\b/.test(part)) return 'the statement deletes every row';
  }
  if (/\.(dropdatabase|drop|deletemany|remove) ?\( ?(\{ ?\})? ?\)/.test(text))
    return 'the statement drops or empties a collection';
  return undefined;
}

const INLINE: Readonly<Record<string, string>> = {
  python: '-c',
  python2: '-c',
  python3: '-c',
  pypy: '-c',
  pypy3: '-c',
  perl: '-e -E',
  ruby: '-e',
  node: '-e --eval -p --print',
  nodejs: '-e --eval -p --print',
  bun: '-e --eval -p --print',
  deno: '',
  php: '-r',
  lua: '-e',
  luajit: '-e',
  tclsh: '',
  osascript: '-e',
  Rscript: '-e',
  groovy: '-e',
  julia: '-e --eval',
};
/** Starts programs, deletes, or reaches the network. */
const HARM =
  /\b(os\.(system|popen|exec\w*|spawn\w*|remove|unlink|rmdir|removedirs|kill)|subprocess|shutil\.(rmtree|move)|rmtree|remove_tree|pty\.spawn|child_process|execSync|spawnSync|execFile|unlinkSync|rmSync|rmdirSync|Deno\.(run|remove|Command)|FileUtils\.(rm|remove)\w*|rm_rf|IO\.popen|Open3|Kernel\.|shell_exec|passthru|proc_open|popen|os\.execute|do shell script|socket|urlopen|urllib|requests\.(get|post)|http\.(get|request)|__import__|importlib|b64decode|pickle|marshal|ctypes)\b|\b(fetch|eval|exec|execv[pe]*|system|fork|unlink)\b\s*[("'[]|`[^`]+`|%x[({[]|\brm\s+-\w*[rf]/;

/** Why a program given on the command line always asks; undefined when it does not (then it asks like any program). */
export function inlineImmune(name: string, simple: Simple): string | undefined {
  if (!Object.hasOwn(INLINE, name)) return undefined;
  const args = simple.words.slice(1);
  const names = optionSet(INLINE[name]);
  const scan = scanOptions(args, { valued: names });
  const texts: string[] = scan.options
    .filter((option) => names.has(option.name))
    .flatMap((option) => (option.value ? possible(option.value) : []));
  if (name === 'deno') texts.push(...afterEval(args));
  const given = texts.length > 0 || scan.operands.length > 0 ? [] : (simple.stdin ?? []);
  for (const text of [...texts, ...given]) {
    if (/fork\s*(\(\))?\s*(while|until)|while\s*(\(?\s*(1|True|true)\s*\)?)?:?\s*\{?\s*(os\.)?fork/i.test(text))
      return `the program for ${name} starts more and more copies of itself`;
    const found = HARM.exec(text)?.[0];
    if (found) return `the program for ${name} uses ${found.slice(0, 40)}`;
  }
  return undefined;
}

function afterEval(args: readonly ShellWord[]): string[] {
  const at = args.findIndex((word) => word.values[0] === 'eval');
  return at < 0 ? [] : args.slice(at + 1).flatMap((word) => possible(word));
}
