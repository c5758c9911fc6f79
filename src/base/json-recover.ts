/** Text -> JSON, in steps from strict to lenient. Form is repaired; content never is, and what was cut off is a fault. */
import { readInnerQuotes } from './json-inner-quotes.js';
import { repairByLibrary } from './json-library.js';
import { parseStrict } from './json-strict.js';
import { readTolerant } from './json-tolerant.js';
import type { Ending, Json, JsonFault, JsonRead } from './json-types.js';

/** Reads the one JSON value of `text`. `ending` says how sure it is that the text is whole. Never throws. */
export function recoverJson(text: string, ending: Ending): JsonRead | JsonFault {
  const strict = parseStrict(text);
  if (strict.ok) return { ok: true, value: strict.value, repairs: [], end: text.length };
  if (strict.kind !== 'not-json')
    return { ok: false, kind: strict.kind, message: strict.message, pointer: strict.pointer, offset: 0 };
  const tolerant = readTolerant(text, ending);
  if (tolerant.ok || tolerant.kind !== 'unexpected') return tolerant;
  return byReadings(text, ending, tolerant);
}

/** Two more ways to read it. They must not disagree: one reading is a repair, two are a guess. */
function byReadings(text: string, ending: Ending, fault: JsonFault): JsonRead | JsonFault {
  const quotes = readInnerQuotes(text);
  const library = repairByLibrary(text);
  const ambiguous: JsonFault = {
    ...fault,
    kind: 'ambiguous',
    message: `${fault.message}; a quote inside a string needs a backslash (\\"), and this text can be read in more than one way`,
  };
  if (quotes.kind === 'many') return ambiguous;
  const done = (value: Json, repair: string): JsonRead => ({ ok: true, value, repairs: [repair], end: text.length });
  if (quotes.kind === 'one') {
    if (library !== undefined && JSON.stringify(library) !== JSON.stringify(quotes.value)) return ambiguous;
    return ending === 'open' || ending === 'cut' ? fault : done(quotes.value, 'quotes inside a string that were not escaped');
  }
  return library === undefined || ending === 'cut' ? fault : done(library, 'missing commas or colons');
}
