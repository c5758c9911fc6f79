/** A text with everything in it, for eyes and tests. */
export const SAMPLE = `# Streaming parser

The parser reads **line by line** and keeps *only what is open*. See \`src/ui/markdown/blocks.ts\` or [the guide](https://example.org/guide), or plain https://example.org/a_(b).
Second line of the same paragraph, ~~struck~~ and ***both***.

## What changed

- Lists with **marks**
  - nested, with a sentence that is long enough to be wrapped at forty and at eighty columns, too
    - deeper
- [x] done task
- [ ] open task

1. First step:
   \`\`\`ts
   // A comment
   export async function readAll(path: string): Promise<string> {
     const text = await readFile(path, 'utf8');
     return text.replace(/\\s+/g, \` \${path} \`); // 42
   }
   \`\`\`
2. Second step

> A quote with **weight**
> over two lines.

| File | Lines | What it does |
|:-----|------:|--------------|
| \`blocks.ts\` | 220 | Takes Markdown line by line |
| \`flow.ts\` | 140 | Wraps text that comes in pieces, 日本語 too ✅ |

\`\`\`bash
npm install && npm test -- --run   # quick
export NAME="value"
\`\`\`

\`\`\`diff
-const a = 1;
+const a = 2;
\`\`\`

---

中文也可以换行，因为每个字都可以是行尾，标点不会放在行首。 Emoji: 👩‍👩‍👧 🎉 ❤️ 🇧🇷.
A footnote[^1] and <b>HTML</b> as text.

[^1]: The note.
`;

/** What quadratic parsers choke on when it is repeated. */
export const HOSTILE = [
  ...[
    'x',
    'word ',
    'x\n',
    '> ',
    '- ',
    '[',
    '](',
    '[a](b',
    '*a ',
    '**',
    '`',
    '`` ` ',
    '_a_*',
    '\\',
    '|',
    '| a ',
    '[\n',
    '*\n',
    '<',
    '![',
  ],
  ...['日', 'x\u0301', '```\nx\n```\n', '|a|b|\n|-|-|\n|1|2|\n\n', '\u202e', '\x1b[1mx', '~~~', '&amp;', 'https://'],
];
