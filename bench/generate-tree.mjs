// The one generator of source trees for the benchmarks and tests of search, map and checkpoint: the same tree for the same seed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ADJECTIVES =
  'active bold calm deep early fast given hidden inner joint known local main next open plain quick ready safe true'.split(' ');
const NOUNS =
  'account batch cache driver event filter graph handle index job key loader matrix node order parser queue record session token'.split(
    ' ',
  );
const VERBS =
  'apply build check close decode encode fetch gather handle insert join keep load merge open parse read send track update'.split(
    ' ',
  );
const AREAS = 'api auth billing cli core db http jobs mail model report search store sync ui util'.split(' ');
const WORDS = 'the value is taken from here when it was set before so that a later call sees what the first one left'.split(' ');

/** How often a kind of file comes, in parts of a thousand; each makes path and text of one file. */
const KINDS = [
  [300, typescript],
  [150, python],
  [150, go],
  [80, rust],
  [80, java],
  [60, c],
  [50, javascript],
  [50, markdown],
  [35, json],
  [20, yaml],
  [15, css],
  [10, shell],
];

/**
 * Writes a source tree below `dir` (made when missing): twelve languages in nested packages, .gitignore files at three levels with
 * negations, ignored build output, pictures and other binary files, lines of 200 KB, a few large files, CRLF, UTF-16 and latin-1, and
 * imports between the files, so that a map finds references. `files` counts what is not ignored, the few special files included;
 * ignored files come on top. No git repository is made. Gives `{files, ignored, bytes}`.
 */
export function generateTree(dir, { files = 10_000, seed = 1 } = {}) {
  const tree = { dir, random: randomFrom(seed), made: new Map(), seen: new Set(), files: 0, ignored: 0, bytes: 0 };
  for (const [path, text] of fixedFiles(tree)) put(tree, path, text);
  for (let number = 0; tree.files < files; number++) {
    const [path, text] = pick(tree)(tree, number);
    put(tree, path, text);
    if (number % 9 === 0) putIgnored(tree, number);
  }
  return { files: tree.files, ignored: tree.ignored, bytes: tree.bytes };
}

/** Numbers in [0, 1), the same row for the same seed. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const below = (tree, limit) => Math.floor(tree.random() * limit);
const one = (tree, list) => list[below(tree, list.length)];
const capital = (word) => word[0].toUpperCase() + word.slice(1);
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

function pick(tree) {
  let left = below(tree, 1000);
  for (const [share, make] of KINDS) {
    if (left < share) return make;
    left -= share;
  }
  return typescript;
}

function write(tree, path, content) {
  const file = join(tree.dir, path);
  const folder = dirname(file);
  if (!tree.seen.has(folder)) mkdirSync(folder, { recursive: true });
  tree.seen.add(folder);
  writeFileSync(file, content);
  tree.bytes += typeof content === 'string' ? Buffer.byteLength(content) : content.length;
}

function put(tree, path, content) {
  write(tree, path, content);
  tree.files++;
}

function putIgnored(tree, number) {
  const text = times(20, () => `var ${name(tree)} = ${below(tree, 1e6)};`).join('\n');
  const folder = one(tree, [
    'node_modules/lib',
    'packages/core/dist',
    'packages/ui/build',
    'target/debug',
    'python/app/__pycache__',
  ]);
  write(tree, `${folder}-${number % 40}/${name(tree)}${number}.js`, text);
  if (number % 5 === 0) write(tree, `services/logs/run${number}.log`, text);
  tree.ignored += number % 5 === 0 ? 2 : 1;
}

function fixedFiles(tree) {
  const prose = (lines) => times(lines, (line) => `${line + 1} ${comment(tree)}`).join('\n');
  const noise = Buffer.from(times(30_000, () => below(tree, 256)));
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000400000004008060000', 'hex');
  return [
    ['.gitignore', 'node_modules/\n/node_modules/\nlib-*/\ntarget/\n*.log\n!keep.log\n__pycache__-*/\n# a comment\n\\#odd\n'],
    ['packages/.gitignore', 'dist-*/\nbuild-*/\n/*/generated/*\n!/*/generated/keep.ts\n'],
    ['services/.gitignore', 'logs/\n!logs\n*.tmp\n'],
    ['packages/core/.gitignore', '*.snap\n!wanted.snap\n'],
    ['packages/core/generated/keep.ts', 'export const kept = true;\n'],
    ['packages/core/wanted.snap', 'snapshot of getActiveAccount\n'],
    ['services/keep.log', 'TODO this log is kept\n'],
    ['.editorconfig', 'root = true\n'],
    ['.github/workflows/check.yml', 'on: push\njobs:\n  check:\n    runs-on: ubuntu-latest\n'],
    ['README.md', `# Sample\n\n${prose(60)}\n`],
    ['package.json', '{ "name": "sample", "private": true, "workspaces": ["packages/*"] }\n'],
    ['go.mod', 'module example.com/sample\n\ngo 1.19\n'],
    ['assets/logo.png', Buffer.concat([png, noise.subarray(0, 9000)])],
    ['assets/data.bin', noise],
    ['assets/nearly-text.dat', Buffer.concat([Buffer.from(prose(400)), Buffer.from([0]), Buffer.from(prose(20))])],
    [
      'web/bundle.min.js',
      times(4, () => times(9000, () => `function ${name(tree)}(a){return a+${below(tree, 99)}}`).join('')).join('\n'),
    ],
    ['data/rows.csv', times(40_000, (row) => `${row},${name(tree)},${below(tree, 1e6)},${one(tree, NOUNS)}`).join('\n')],
    ['data/dump.sql', times(20_000, (row) => `INSERT INTO ${one(tree, NOUNS)} VALUES (${row}, '${name(tree)}');`).join('\n')],
    ['legacy/windows.cs', `// ${prose(80)}\n`.replaceAll('\n', '\r\n')],
    ['legacy/mixed.txt', `first\r\nsecond\n${prose(20)}\r\nlast without end`],
    ['legacy/strings.resx', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(prose(60), 'utf16le')])],
    ['legacy/with-bom.txt', `\ufeff${prose(20)}\n`],
    ['legacy/latin1.txt', Buffer.from(`Gr\u00fc\u00dfe, se\u00f1or: ${prose(20)}\n`, 'latin1')],
    ['docs/unicode.md', `# Übersicht\n\nnaïve café 日本語 🎉 ${prose(20)}\n`],
  ];
}

const name = (tree) => one(tree, VERBS) + capital(one(tree, ADJECTIVES)) + capital(one(tree, NOUNS));
const snake = (word) => word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function comment(tree) {
  const text = times(6 + below(tree, 10), () => one(tree, WORDS)).join(' ');
  return tree.random() < 0.04 ? `TODO ${text}` : text;
}

/** A new module of a language: where it stands, what it defines, and up to four earlier ones it uses. */
function module(tree, language, number) {
  const earlier = tree.made.get(language) ?? [];
  // Some modules are used by many, most by few, as in real code.
  const uses = times(
    Math.min(earlier.length, 1 + below(tree, 4)),
    () => earlier[Math.floor(tree.random() ** 3 * earlier.length)],
  );
  const file = { area: one(tree, AREAS), sub: one(tree, AREAS), base: `${name(tree)}${number}`, names: [] };
  file.names = times(2 + below(tree, 6), () => `${name(tree)}${below(tree, 100)}`);
  tree.made.set(language, [...earlier.slice(-400), file]);
  return { ...file, uses: [...new Set(uses)] };
}

/** Lines of a body that call what other modules define. */
function calls(tree, uses, form) {
  return times(3 + below(tree, 12), (line) => {
    const used = uses.length > 0 && tree.random() < 0.5 ? one(tree, uses) : undefined;
    const value = `${one(tree, ADJECTIVES)}${capital(one(tree, NOUNS))}${line}`;
    return form(value, used ? one(tree, used.names) : undefined, used, below(tree, 1000));
  });
}

function typescript(tree, number) {
  const { area, sub, base, names, uses } = module(tree, 'ts', number);
  const imports = uses.map(
    (used) => `import { ${used.names.join(', ')} } from '@sample/${used.area}/${used.sub}/${used.base}.js';`,
  );
  const bodies = names.map((item, index) => {
    const lines = calls(
      tree,
      uses,
      (value, call, _used, amount) => `  const ${value} = ${call ? `${call}(${amount})` : `input * ${amount}`};`,
    );
    if (index === 1)
      return `export class ${capital(item)} {\n  // ${comment(tree)}\n  run(input: number): number {\n  ${lines.join('\n  ')}\n    return input;\n  }\n}`;
    return `/** ${comment(tree)} */\nexport function ${item}(input: number): number {\n${lines.join('\n')}\n  return input;\n}`;
  });
  const end = tree.random() < 0.2 ? '.test.ts' : '.ts';
  return [`packages/${area}/src/${sub}/${base}${end}`, `${imports.join('\n')}\n\n${bodies.join('\n\n')}\n`];
}

function javascript(tree, number) {
  const { area, base, names, uses } = module(tree, 'js', number);
  const imports = uses.map((used) => `const { ${used.names.join(', ')} } = require('../${used.area}/${used.base}');`);
  const bodies = names.map((item) => {
    const lines = calls(
      tree,
      uses,
      (value, call, _used, amount) => `  const ${value} = ${call ? `${call}("${amount}")` : `'${comment(tree)}'`};`,
    );
    return `exports.${item} = function ${item}(input) {\n${lines.join('\n')}\n  return input;\n};`;
  });
  return [`web/${area}/${base}.js`, `'use strict';\n${imports.join('\n')}\n\n${bodies.join('\n\n')}\n`];
}

function python(tree, number) {
  const { area, base, names, uses } = module(tree, 'py', number);
  const imports = uses.map((used) => `from app.${used.area}.${snake(used.base)} import ${used.names.map(snake).join(', ')}`);
  const bodies = names.map((item) => {
    const lines = calls(
      tree,
      uses,
      (value, call, _used, amount) => `    ${snake(value)} = ${call ? `${snake(call)}(${amount})` : `"${comment(tree)}"`}`,
    );
    return `def ${snake(item)}(value):\n    """${comment(tree)}"""\n${lines.join('\n')}\n    return value`;
  });
  return [`python/app/${area}/${snake(base)}.py`, `${imports.join('\n')}\n\n\n${bodies.join('\n\n\n')}\n`];
}

function go(tree, number) {
  const { area, sub, base, names, uses } = module(tree, 'go', number);
  const imports = [...new Set(uses.map((used) => `\t"example.com/sample/services/${used.area}/${used.sub}"`))];
  const bodies = names.map((item, index) => {
    const lines = calls(
      tree,
      uses,
      (value, call, used, amount) =>
        `\t${value} := ${call ? `${used.sub}.${capital(call)}(${amount})` : `input + ${amount}`}\n\t_ = ${value}`,
    );
    const receiver = index % 3 === 2 ? `(s *${capital(names[0])}Service) ` : '';
    const type = index === 0 ? `type ${capital(item)}Service struct {\n\tname string\n}\n\n` : '';
    return `${type}// ${capital(item)}: ${comment(tree)}\nfunc ${receiver}${capital(item)}(input int) int {\n${lines.join('\n')}\n\treturn input\n}`;
  });
  return [
    `services/${area}/${sub}/${snake(base)}.go`,
    `package ${sub}\n\nimport (\n${imports.join('\n')}\n)\n\n${bodies.join('\n\n')}\n`,
  ];
}

function rust(tree, number) {
  const { area, base, names, uses } = module(tree, 'rs', number);
  const imports = uses.map((used) => `use crate::${used.area}::${snake(used.base)}::{${used.names.map(snake).join(', ')}};`);
  const bodies = names.map((item, index) => {
    const lines = calls(
      tree,
      uses,
      (value, call, _used, amount) => `    let ${snake(value)} = ${call ? `${snake(call)}(${amount})` : `input + ${amount}`};`,
    );
    const type = index === 0 ? `#[derive(Debug)]\npub struct ${capital(item)} {\n    pub id: u64,\n}\n\n` : '';
    return `${type}/// ${comment(tree)}\npub fn ${snake(item)}(input: u64) -> u64 {\n${lines.join('\n')}\n    input\n}`;
  });
  return [`crates/engine/src/${area}/${snake(base)}.rs`, `${imports.join('\n')}\n\n${bodies.join('\n\n')}\n`];
}

function java(tree, number) {
  const { area, base, names, uses } = module(tree, 'java', number);
  const imports = uses.map((used) => `import com.example.${used.area}.${capital(used.base)};`);
  const bodies = names.map((item) => {
    const lines = calls(
      tree,
      uses,
      (value, call, used, amount) =>
        `        long ${value} = ${call ? `${capital(used.base)}.${call}(${amount}L)` : `input + ${amount}L`};`,
    );
    return `    /** ${comment(tree)} */\n    public static long ${item}(long input) {\n${lines.join('\n')}\n        return input;\n    }`;
  });
  const text = `package com.example.${area};\n\n${imports.join('\n')}\n\npublic final class ${capital(base)} {\n${bodies.join('\n\n')}\n}\n`;
  return [`java/src/main/java/com/example/${area}/${capital(base)}.java`, text];
}

function c(tree, number) {
  const { area, base, names, uses } = module(tree, 'c', number);
  const imports = uses.map((used) => `#include "../${used.area}/${snake(used.base)}.h"`);
  const bodies = names.map((item) => {
    const lines = calls(
      tree,
      uses,
      (value, call, _used, amount) => `\tint ${snake(value)} = ${call ? `${snake(call)}(${amount})` : `input + ${amount}`};`,
    );
    return `/* ${comment(tree)} */\nint ${snake(item)}(int input)\n{\n${lines.join('\n')}\n\treturn input;\n}`;
  });
  return [`native/${area}/${snake(base)}.c`, `#include <stdio.h>\n${imports.join('\n')}\n\n${bodies.join('\n\n')}\n`];
}

function markdown(tree, number) {
  const parts = times(3 + below(tree, 6), () => `## ${capital(name(tree))}\n\n${times(6, () => comment(tree)).join('\n')}\n`);
  return [`docs/${one(tree, AREAS)}/${name(tree)}${number}.md`, `# ${one(tree, NOUNS)}\n\n${parts.join('\n')}`];
}

function json(tree, number) {
  const entries = times(5 + below(tree, 60), () => [
    name(tree),
    { on: tree.random() < 0.5, text: comment(tree), amount: below(tree, 1e6) },
  ]);
  return [`config/${one(tree, AREAS)}/${name(tree)}${number}.json`, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`];
}

function yaml(tree, number) {
  const entries = times(5 + below(tree, 30), () => `${name(tree)}:\n  text: ${comment(tree)}\n  amount: ${below(tree, 1000)}`);
  return [`deploy/${one(tree, AREAS)}/${name(tree)}${number}.yaml`, `${entries.join('\n')}\n`];
}

function css(tree, number) {
  const rules = times(10 + below(tree, 40), () => `.${name(tree)} {\n  margin: ${below(tree, 40)}px;\n}`);
  return [`web/styles/${one(tree, AREAS)}/${name(tree)}${number}.css`, `${rules.join('\n\n')}\n`];
}

function shell(tree, number) {
  const lines = times(5 + below(tree, 20), () => `# ${comment(tree)}\n${snake(name(tree))}() { echo "$1"; }`);
  return [`scripts/${name(tree)}${number}.sh`, `#!/bin/sh\n${lines.join('\n')}\n`];
}
