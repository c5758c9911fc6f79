/** Says of one simple command whether it only reads, and what. */
import { because } from '../../reasons.js';
import { code } from '../code.js';
import { only, type Simple } from '../types.js';
import { readAwk } from './awk.js';
import { readBuiltin } from './builtins.js';
import { neverEnds } from './endless.js';
import { readFd, readFind } from './find.js';
import { readGit } from './git.js';
import { PLAIN_READERS } from './plain.js';
import { applyReader, no, type Reading } from './reader.js';
import { readSed } from './sed.js';
import { readTar, readYq } from './tar.js';
import { readTool, readVersion } from './tools.js';

const OWN: Readonly<Record<string, (simple: Simple) => Reading>> = {
  git: readGit,
  sed: readSed,
  gsed: readSed,
  awk: readAwk,
  gawk: readAwk,
  mawk: readAwk,
  nawk: readAwk,
  find: readFind,
  fd: readFd,
  fdfind: readFd,
  tar: readTar,
  yq: readYq,
};
/** Folders whose programs are the system's own. */
const SYSTEM_FOLDERS = /^(\/usr(\/local)?)?\/s?bin\/|^\/opt\/homebrew\/bin\//;

/** Does this command, seen alone, only read? Paths are judged elsewhere. */
export function readingOf(simple: Simple): Reading {
  const full = only(simple.words[0]);
  if (full === undefined) return no(because`what it runs is only known when it runs`);
  const name = full.replace(SYSTEM_FOLDERS, '');
  if (name.includes('/')) return no(because`${code(full)} is a program of its own, not one of the system's`);
  const version = readVersion(simple);
  if (version) return version;
  const own = Object.hasOwn(OWN, name) ? OWN[name] : undefined;
  if (own) return own(simple);
  const endless = neverEnds(name, simple);
  if (endless !== undefined) return no(endless);
  const plain = PLAIN_READERS.get(name);
  if (plain) return applyReader(name, plain, simple);
  return (
    readBuiltin(name, simple) ??
    readTool(name, simple) ??
    no(because`${name ? code(name) : 'an empty name'} is not known to only read`)
  );
}
