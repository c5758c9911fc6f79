/** The built program, for tests that run it as a user would. */
import { join, resolve } from 'node:path';
import { prepare } from '../../scripts/lib/tasks.mjs';

const ROOT = resolve(import.meta.dirname, '../..');

/** Path of `dist/main.mjs`, built from the present sources (at once when nothing changed). Throws what the build says when it fails. */
export async function program(): Promise<string> {
  await prepare(ROOT, 'dist');
  return join(ROOT, 'dist/main.mjs');
}
