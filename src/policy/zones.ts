/** What the places a call reads and writes mean before any rule: some are refused, some always ask. */

import type { Decision, Judged, Reason } from '../types/policy.js';
import type { Located } from '../types/workspace.js';
import { because, decided } from './reasons.js';
import { code } from './shell/code.js';

/** The denial that follows from a path, or undefined. No rule and no mode lifts it. */
export function zoneDenial(judged: Judged): Decision | undefined {
  for (const path of judged.writes) {
    const found = common(path, 'write') ?? writeOnly(path);
    if (found) return found;
  }
  for (const path of judged.reads) {
    const found = common(path, 'read');
    if (found) return found;
  }
  return undefined;
}

function common(path: Located, doing: 'read' | 'write'): Decision | undefined {
  if (path.zone === 'system')
    return denied(
      path,
      'Sensitive',
      doing === 'read'
        ? because`${code(path.shown)} is on the list of system files, which tools never read`
        : because`${code(path.shown)} is on the list of system files, which tools never write`,
    );
  if (path.zone === 'outside') return denied(path, 'OutsideWorkspace', because`${code(path.shown)} is outside the workspace`);
  return undefined;
}

function writeOnly(path: Located): Decision | undefined {
  if (path.zone === 'git')
    return denied(path, 'Sensitive', because`${code(path.shown)} lies inside a repository's own folder, which tools never write`);
  if (path.zone === 'scratch') return denied(path, 'OutsideWorkspace', because`${code(path.shown)} may be read but not written`);
  return undefined;
}

function denied(path: Located, code: Decision['code'], why: Reason): Decision {
  return decided({ verdict: 'deny', step: 1, part: path.shown, code }, why);
}

/** The question that a personal path, or one of our own, always is. */
export function zoneQuestion(judged: Judged): Decision | undefined {
  for (const path of [...judged.writes, ...judged.reads]) {
    if (path.zone !== 'personal' && path.zone !== 'own') continue;
    const what =
      path.zone === 'personal'
        ? because`holds personal credentials`
        : because`belongs to this program's own policy, configuration or state`;
    return decided({ verdict: 'immune', step: 3, part: path.shown, code: 'Sensitive' }, because`${code(path.shown)} ${what}`);
  }
  return undefined;
}
