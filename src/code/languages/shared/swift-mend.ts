/** Swift that is newer than the grammar, made readable for it: same length, same lines. Only the parser sees it. */

import { inShortLines } from './short-lines.js';

const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');
const padded = (text: string, instead: string): string => instead.padEnd(text.length);

/** A look ahead stands before each look behind, which would otherwise be taken at every place. */
type Mend = readonly [RegExp, (found: string) => string];

const MENDS: readonly Mend[] = [
  [/^[ \t]*#(?:if|elseif|else|endif|sourceLocation|warning|error)\b[^\r\n]*/gm, blank],
  [/#(?:un)?available\([^()\r\n]*\)/g, (found) => padded(found, 'true')],
  [/#(?:selector|keyPath)\((?:[^()\r\n]|\([^()\r\n]*\))*\)/g, (found) => padded(found, 'nil')],
  [/#(?:fileID|filePath|file|line|column|function|dsohandle)\b/g, (found) => padded(found, 'nil')],
  [/#(?=(?:expect|require)\()/g, blank],
  [/(#{1,3})"[^"\r\n]*(?:"(?!#)[^"\r\n]*)*"\1/g, (found) => `"${' '.repeat(found.length - 2)}"`],
  [/@_\w+(?:\([^()\r\n]*\))?/g, blank],
  [
    /(?=sending|borrowing|consuming|isolated)(?<=(?::|->|\()[ \t]*(?:@\w+[ \t]+)*)(?:sending|borrowing|consuming|isolated)(?=[ \t]+[@\w([])/g,
    blank,
  ],
  [/(?=consume|copy)(?<=\b(?:switch|return|=)[ \t]+|[([,][ \t]*)(?:consume|copy)(?=[ \t]+\w)/g, blank],
  [/\bnonisolated\(\w+\)|(?<=\bunowned)\(\w+\)/g, blank],
  [/(?<=\bthrows)\([^()\r\n]*\)/g, blank],
  [
    /(?=public|internal|private|fileprivate|package)(?<=^[ \t]*(?:@\w+[ \t]+)*)(?:public|internal|private|fileprivate|package)(?=[ \t]+import\b)/gm,
    blank,
  ],
  [
    /(?=package)(?<=^[ \t]*)package(?=[ \t]+(?:\w+[ \t]+)*(?:func|var|let|class|struct|enum|protocol|actor|init|typealias)\b)/gm,
    blank,
  ],
  [/`[^`\r\n]*[^`\w\r\n][^`\r\n]*`/g, (found) => `\`${found.slice(1, -1).replace(/\W/g, '_')}\``],
  [/(?=~)(?<=[[(,:][ \t]*)~(?=[A-Za-z])/g, blank],
];

/** The same text with newer words and directives made blank or older. */
export function mendSwift(text: string): string {
  return inShortLines(text, (short) =>
    MENDS.reduce((mended, [pattern, instead]) => mended.replace(pattern, (found) => instead(found)), short),
  );
}
