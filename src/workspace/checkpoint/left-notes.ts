/** What a snapshot does not hold, as sentences. */
import type { Left } from './scan.js';
import { LARGEST_FILE } from './settings.js';

const MOST_NAMED = 10;

/** One sentence for each cause, without the full stop. */
export function leftNotes(left: readonly Left[]): string[] {
  const of = (why: Left['why']) => left.filter((entry) => entry.why === why).map((entry) => nameOf(entry.path));
  const notes: string[] = [];
  const say = (why: Left['why'], text: string) => {
    const names = of(why);
    if (names.length === 0) return;
    const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
    notes.push(`${text}: ${names.slice(0, MOST_NAMED).join(', ')}${more}`);
  };
  say('large', `not kept, because larger than ${LARGEST_FILE / 1024 / 1024} MiB`);
  say('unreadable', 'not kept, because not readable');
  say('repository', 'left alone, because a repository of its own');
  return notes;
}

function nameOf(path: Buffer): string {
  const text = path.toString('utf8');
  return /[\u0000-\u001f\u007f,]/.test(text) ? JSON.stringify(text) : text;
}
