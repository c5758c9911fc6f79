/** What compilers say when tests cannot even be built: Cargo, javac, Kotlin, .NET, Elixir, TypeScript, PHP. */
import { blockFrom, distinct, type TestFailure } from './report.js';

const MOST = 20;

/** `file:line message` in the forms of the compilers; groups: place, message. */
const FORMS: readonly RegExp[] = [
  // Maven: [ERROR] /src/App.java:[3,5] ';' expected
  /^\[ERROR\] (\S.*\.\w+:\[\d+,\d+\]) (.+)$/,
  // javac under Gradle: /src/App.java:3: error: ';' expected; Kotlin: e: file:///src/App.kt:3:5 Unresolved reference
  /^(\S.*\.(?:java|groovy|scala):\d+): error: (.+)$/,
  /^e: (?:file:\/\/)?(\S.*\.kts?:\d+:\d+):? (.+)$/,
  // .NET: /src/A.cs(3,5): error CS1002: ; expected [/src/a.csproj]
  /^\s*(\S.*\.(?:cs|fs|vb)\(\d+,\d+\)): error (\w+: .+?)(?: \[[^\]]+\])?$/,
  // TypeScript: src/a.ts(3,5): error TS2322: ... ; Elixir: ** (CompileError) lib/a.ex:3: undefined function
  /^(\S.*\.[cm]?tsx?\(\d+,\d+\)): error (TS\d+: .+)$/,
  /^\*\* \((?:CompileError|SyntaxError|TokenMissingError)\) (\S+\.exs?:\d+(?::\d+)?):? (.+)$/,
];

function cargoErrors(lines: readonly string[]): TestFailure[] {
  if (!lines.some((line) => /^error: could not compile /.test(line))) return [];
  return lines.flatMap((line, index) => {
    const message = /^error(?:\[E\d+\])?: (?!could not compile|aborting due)(.+)$/.exec(line)?.[1];
    if (message === undefined) return [];
    const near = blockFrom(lines, index + 1, (next) => next === '' || /^(error|warning)/.test(next));
    const place = near.map((next) => /^\s*--> (.+)$/.exec(next)?.[1]).find((found) => found !== undefined);
    return [{ name: place ?? 'build', message }];
  });
}

/** PHP says `Parse error: message in FILE on line N`. */
function scriptErrors(line: string): TestFailure[] {
  const php = /^(?:PHP )?(?:Parse|Fatal) error: +(.+) in (\S.*\.php) on line (\d+)$/.exec(line);
  return php ? [{ name: `${php[2]}:${php[3]}`, message: php[1] ?? '' }] : [];
}

/** The errors of a build that failed; empty where none is recognised. */
export function readBuildErrors(lines: readonly string[]): TestFailure[] {
  const found = lines.flatMap((line) => {
    for (const form of FORMS) {
      const match = form.exec(line);
      if (match) return [{ name: match[1] ?? '', message: match[2] ?? '' }];
    }
    return scriptErrors(line);
  });
  return distinct([...cargoErrors(lines), ...found]).slice(0, MOST);
}
