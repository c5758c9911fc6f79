/** Where a redirection reads or writes, and what follows from that. */
import type { Reason } from '../../types/policy.js';
import { because, ONLY_READS } from '../reasons.js';
import { isOtherDevice, isRawDevice } from './dangerous.js';
import { isHarmlessDevice, judgeRead, type PathFinding, place, strictest } from './paths.js';
import { type Cwd, only, possible, type Severity, type ShellEnv, type ShellRedirect } from './types.js';

const NOTHING: PathFinding = { verdict: 'allow', reason: ONLY_READS, outside: false, paths: [] };
/** Folders of the operating system: writing there always asks. */
export const SYSTEM_FOLDERS = /^\/(private\/)?(etc|usr|bin|sbin|lib|lib32|lib64|boot|System|Library|Applications)(\/|$)/;

/** Judges one redirection. */
export function judgeRedirect(redirect: ShellRedirect, cwd: Cwd, env: ShellEnv): PathFinding {
  const { op, target } = redirect;
  if (!target) return found('ask', because`a redirection in it could not be read`);
  const network = possible(target).find((text) => /^\/dev\/(tcp|udp)\//.test(text));
  if (network !== undefined) return found('immune', because`it opens a network connection (${network})`);
  if (op === '<&' || op === '>&') {
    const text = only(target);
    if (text !== undefined && /^\d*-?$/.test(text)) return NOTHING;
    if (op === '<&') return found('ask', because`it duplicates a descriptor that is only known when it runs`);
  }
  if (op === '<') return judgeRead(target, cwd, env);
  if (target.unknown || target.patterns.length > 0 || target.values.length === 0) {
    const guess = strictest(target.guesses.map((text) => judgeWrite(text, cwd, env)));
    return guess.verdict === 'immune'
      ? guess
      : found('ask', because`it writes ${target.source}, which is only known when it runs`);
  }
  return strictest(target.values.map((text) => judgeWrite(text, cwd, env)));
}

/** Judges writing one path through the shell. */
export function judgeWrite(path: string, cwd: Cwd, env: ShellEnv): PathFinding {
  if (isHarmlessDevice(path)) return NOTHING;
  if (isOtherDevice(path) || isRawDevice(path))
    return { ...found('immune', because`it writes to the device ${path}`), outside: true };
  const places = place(path, cwd, env);
  if (!places) return found('ask', because`it writes ${path}, in a folder that is only known when it runs`);
  return strictest(
    places.map((located): PathFinding => {
      const paths = [{ located, write: true }];
      switch (located.zone) {
        case 'inside':
          return { verdict: 'ask', reason: because`it writes ${located.shown}`, outside: false, paths };
        case 'outside':
          if (SYSTEM_FOLDERS.test(located.real))
            return { verdict: 'immune', reason: because`it writes ${located.shown}, in a system folder`, outside: true, paths };
          return {
            verdict: 'ask',
            reason: because`it writes ${located.shown}, which is outside the workspace`,
            outside: true,
            paths,
          };
        case 'git':
          return {
            verdict: 'immune',
            reason: because`it writes ${located.shown}, inside a repository's own folder`,
            outside: false,
            paths,
          };
        case 'scratch':
          return { verdict: 'ask', reason: because`it writes ${located.shown}`, outside: true, paths };
        default:
          return { verdict: 'immune', reason: because`it writes ${located.shown}, which is guarded`, outside: true, paths };
      }
    }),
  );
}

function found(verdict: Severity, reason: Reason): PathFinding {
  return { verdict, reason, outside: false, paths: [] };
}
