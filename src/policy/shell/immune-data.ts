/** Statements for databases: what in their text always asks. */
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { code } from './code.js';
import { possible, type Simple } from './types.js';

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
export function databaseImmune(name: string, simple: Simple): Reason | undefined {
  const args = simple.words.slice(1);
  const texts = args.flatMap((word) => possible(word));
  if (name === 'dropdb' || name === 'dropuser') return because`${code(name)} deletes a database or its user`;
  if (name === 'mysqladmin' && texts.includes('drop')) return because`\`mysqladmin drop\` deletes a database`;
  if (name === 'redis-cli' && texts.some((text) => /^(flushall|flushdb|shutdown)$/i.test(text)))
    return because`\`redis-cli\` empties or stops the store`;
  if (/^(rails|rake)$/.test(name) && texts.some((text) => /^db:(drop|reset|purge|migrate:reset)/.test(text)))
    return because`${code(name)} deletes a database`;
  if (
    /^(prisma|supabase|sequelize|typeorm|artisan)$/.test(name) &&
    /\b(migrate reset|db reset|db:drop|schema:drop|migrate:fresh|db:wipe)\b/.test(texts.join(' '))
  )
    return because`${code(name)} deletes a database`;
  if (!Object.hasOwn(SQL_CLIENTS, name)) return undefined;
  const statements = [...texts, ...(simple.stdin ?? [])];
  return statements.map(sqlHarm).find((found) => found !== undefined);
}

/** What in a statement deletes data wholesale. Comments and doubled blanks do not hide it. */
export function sqlHarm(statement: string): Reason | undefined {
  const text = statement
    .replace(/\/\*!\d*/g, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\*\//g, ' ')
    .replace(/--[^\n]*/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase();
  if (/\bdrop (database|table|schema|user|role|index|view|keyspace|collection)\b/.test(text))
    return because`the statement drops part of a database`;
  if (/\btruncate (table )?\S/.test(text)) return because`the statement empties a table`;
  for (const part of text.split(';')) {
    if (!/\bdelete from \S+/.test(part)) continue;
    if (!/\bwhere\b/.test(part) || /\bwhere (1 ?= ?1|true|'1' ?= ?'1'|1)\b/.test(part))
      return because`the statement deletes every row`;
  }
  if (/\.(dropdatabase|drop|deletemany|remove) ?\( ?(\{ ?\})? ?\)/.test(text))
    return because`the statement drops or empties a collection`;
  return undefined;
}
