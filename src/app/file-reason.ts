/** What was thrown while a file of an agent or a skill was read, as a reason. */
import { FrontmatterFault } from '../base/frontmatter.js';
import { because, type Reason, ReasonError } from '../types/reason.js';

/** Never throws; what is not known is said in its own words. */
export function fileReason(error: unknown): Reason {
  if (error instanceof ReasonError) return error.why;
  if (error instanceof FrontmatterFault) return frontmatterReason(error);
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'ENXIO') return because`it is a link, a pipe or something else that is no ordinary file`;
  if (code === 'EFBIG') return because`it is too large`;
  if (code === 'EACCES' || code === 'EPERM') return because`it may not be read`;
  return because`it could not be read: ${error instanceof Error ? error.message : String(error)}`;
}

function frontmatterReason({ kind, detail }: FrontmatterFault): Reason {
  switch (kind) {
    case 'not-closed':
      return because`the front matter has no closing line "---"`;
    case 'too-long':
      return because`the front matter is longer than ${detail} characters`;
    case 'not-yaml':
      return because`the front matter is no valid YAML: ${detail}`;
    case 'no-fields':
      return because`the front matter must be fields with values`;
  }
}
