/** Long runs of comment lines are made blank for the parser: its scanner looks through all that follow, for each of them. */

/** Runs of fewer lines cost nothing. */
const LONG_RUN = 20;

/** The same text, offset for offset. */
export function prepareComments(text: string): string {
  if (!text.includes('#')) return text;
  let result = '';
  let kept = 0;
  let runStart = 0;
  let run = 0;
  const flush = (at: number) => {
    if (run >= LONG_RUN) {
      result += text.slice(kept, runStart) + text.slice(runStart, at).replace(/[^\r\n]/g, ' ');
      kept = at;
    }
    run = 0;
  };
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const next = end < 0 ? text.length : end + 1;
    if (isComment(text, start, next)) {
      if (run === 0) runStart = start;
      run++;
    } else flush(start);
    start = next;
  }
  flush(text.length);
  return kept === 0 ? text : result + text.slice(kept);
}

/** Whether the first character of a line that is no space or tab is `#`. */
function isComment(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && (text[at] === ' ' || text[at] === '\t')) at++;
  return text[at] === '#';
}
