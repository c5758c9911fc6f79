/** Who may read and write what: zones, approvals given, and the check of what was really opened. */
import { ToolFault } from '../types/tool.js';
import type { Located, Zone } from '../types/workspace.js';
import { clip, unreadable, unwritable } from './faults.js';
import { pathOfDescriptor } from './open-checked.js';
import type { BareLook, ZoneOf } from './zones.js';

const READABLE: ReadonlySet<Zone> = new Set<Zone>(['inside', 'git', 'scratch']);

export interface Access {
  /** Throws ToolFault when the path may not be read. `look`: as for zones. */
  toRead(path: string, look?: BareLook): Located;
  /** Throws ToolFault when the path may not be written. */
  toWrite(path: string): Located;
  /** Throws ToolFault when an opened file turns out to lie where reading is not allowed. */
  assertSamePlace(fd: number, located: Located): void;
  grant(real: string): void;
}

export function createAccess(options: {
  readonly root: string;
  readonly zoneOf: ZoneOf;
  locate(path: string, look?: BareLook): Located;
}): Access {
  const { root, zoneOf, locate } = options;
  const granted = new Set<string>();
  const guarded = (zone: Zone) => zone === 'personal' || zone === 'own';
  const approved = (zone: Zone, real: string) => guarded(zone) && granted.has(real);
  return {
    toRead(path, look) {
      const located = locate(path, look);
      if (READABLE.has(located.zone) || approved(located.zone, located.real)) return located;
      throw unreadable(located, root);
    },
    toWrite(path) {
      const located = locate(path);
      if (located.zone !== 'inside' && !approved(located.zone, located.real)) throw unwritable(located, root);
      if (/.[\\/]\s*$/.test(path))
        throw new ToolFault('InvalidArgs', `${clip(path)} ends with a slash and so names a folder; name a file`);
      return located;
    },
    assertSamePlace(fd, located) {
      const real = pathOfDescriptor(fd, located.real);
      if (real === located.real) return;
      if (real !== undefined) {
        const zone = zoneOf(real);
        if (READABLE.has(zone) || approved(zone, real)) return;
      }
      throw new ToolFault('OutsideWorkspace', `${clip(located.shown)} led elsewhere when it was opened; it was not read`);
    },
    grant(real) {
      const zone = zoneOf(real);
      // A guarded name may be a link to an ordinary file inside.
      if (guarded(zone) || zone === 'inside') granted.add(real);
    },
  };
}
