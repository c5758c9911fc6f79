/** Makes program output safe and plain to read: no terminal sequences, no control bytes. */

/** Operating system commands, device control strings and the like, up to their end mark. */
const STRINGS = /\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)/g;
/** Colours, cursor moves: ESC [ parameters, intermediates, one final letter. */
const SEQUENCES = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g;
/** Character sets, keypad modes and what is left of a broken sequence. */
const ESCAPES = /\u001b(?:[ -/]+[0-~]?|[0-~])?/g;
/** Bold and underline of old manual pages: a letter, a backspace, the letter again. */
const OVERSTRIKE = /[^\n\r\u0008]\u0008/g;
const CONTROLS = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f]/g;
const ANY = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f]/;

/** The text without escape sequences, NULs and other control characters; tab, newline, carriage return and form feed stay. */
export function cleanText(text: string): string {
  if (!ANY.test(text)) return text;
  return text.replace(STRINGS, '').replace(SEQUENCES, '').replace(ESCAPES, '').replace(OVERSTRIKE, '').replace(CONTROLS, '');
}
