import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MapBench, makeMapBench } from './helpers.js';

let bench: MapBench;
beforeEach(async () => {
  bench = await makeMapBench();
});
afterEach(() => bench.remove());

/** Two files of the same structure: `target` is used by `user`, `other` (which the seed's order would put first) by nobody. */
interface Case {
  readonly name: string;
  readonly target: readonly [string, string];
  readonly other: readonly [string, string];
  readonly user: readonly [string, string];
}

const CASES: readonly Case[] = [
  {
    name: 'TypeScript: relative, .js for .ts',
    target: ['src/z/target.ts', 'export const wanted = 1;\n'],
    other: ['src/a/other.ts', 'export const unused = 1;\nexport const unused2 = 1;\n'],
    user: ['src/m/user.ts', "import { wanted } from '../z/target.js';\nconsole.log(wanted);\n"],
  },
  {
    name: 'TypeScript: a folder with an index',
    target: ['lib/z/index.ts', 'export const wanted = 1;\n'],
    other: ['lib/a.ts', 'export const unused = 1;\nexport const unused2 = 1;\n'],
    user: ['lib/user.ts', "import { wanted as w } from './z';\nw;\n"],
  },
  {
    name: 'TypeScript: a package of the same monorepo',
    target: ['packages/zebra/src/tools/paint.ts', 'export const paint = 1;\n'],
    other: ['packages/ant/src/tools/a.ts', 'export const unused = 1;\nexport const unused2 = 1;\n'],
    user: ['packages/ant/src/main.ts', "import { paint } from '@acme/zebra/tools/paint';\npaint;\n"],
  },
  {
    name: 'JavaScript: require',
    target: ['z.js', 'exports.wanted = function wanted() {};\n'],
    other: ['a.js', 'exports.unused = function unused() {};\nexports.u2 = function u2() {};\n'],
    user: ['user.js', "const { wanted } = require('./z');\nwanted();\n"],
  },
  {
    name: 'Python: a module of a package',
    target: ['app/z/store.py', 'def wanted(): pass\n'],
    other: ['app/a.py', 'def unused(): pass\ndef unused2(): pass\n'],
    user: ['app/user.py', 'from app.z.store import wanted\nwanted()\n'],
  },
  {
    name: 'Python: a module taken by name',
    target: ['app/store.py', 'def wanted(): pass\n'],
    other: ['app/a.py', 'def unused(): pass\ndef unused2(): pass\n'],
    user: ['app/user.py', 'from . import store\nstore.wanted()\n'],
  },
  {
    name: 'Go: a package',
    target: ['internal/zoo/zoo.go', 'package zoo\n\nfunc Wanted() {}\n'],
    other: ['internal/ant/ant.go', 'package ant\n\nfunc Unused() {}\nfunc Unused2() {}\n'],
    user: ['cmd/main.go', 'package main\n\nimport "example.com/x/internal/zoo"\n\nfunc main() { zoo.Wanted() }\n'],
  },
  {
    name: 'Go: the same package',
    target: ['p/z.go', 'package p\n\nfunc wanted() {}\n'],
    other: ['p/a.go', 'package p\n\nfunc unused() {}\nfunc unused2() {}\n'],
    user: ['p/m.go', 'package p\n\nfunc main() { wanted() }\n'],
  },
  {
    name: 'Java: an imported class',
    target: ['src/com/x/z/Wanted.java', 'package com.x.z;\npublic class Wanted {}\n'],
    other: ['src/com/x/a/Unused.java', 'package com.x.a;\npublic class Unused { void a() {} }\n'],
    user: ['src/com/x/User.java', 'package com.x;\nimport com.x.z.Wanted;\nclass User { Wanted w; }\n'],
  },
  {
    name: 'Java: the same package, without an import',
    target: ['src/com/x/Wanted.java', 'package com.x;\npublic class Wanted {}\n'],
    other: ['src/com/x/Aaa.java', 'package com.x;\npublic class Aaa { void a() {} }\n'],
    user: ['src/com/x/User.java', 'package com.x;\nclass User { Wanted w; }\n'],
  },
  {
    name: 'Rust: a module of the crate',
    target: ['src/zoo.rs', 'pub fn wanted() {}\n'],
    other: ['src/ant.rs', 'pub fn unused() {}\npub fn unused2() {}\n'],
    user: ['src/user.rs', 'use crate::zoo::wanted;\nfn go() { wanted(); }\n'],
  },
  {
    name: 'C: an included header',
    target: ['include/zoo.h', 'int wanted(int a);\n'],
    other: ['src/ant.c', 'int unused(void) { return 1; }\nint unused2(void) { return 1; }\n'],
    user: ['src/user.c', '#include "../include/zoo.h"\nint main(void) { return wanted(1); }\n'],
  },
  {
    name: 'Ruby: by its name alone',
    target: ['lib/zoo.rb', 'class WantedThing\nend\n'],
    other: ['lib/ant.rb', 'class Unused\n  def a; end\nend\n'],
    user: ['lib/user.rb', 'class User\n  def go; WantedThing.new; end\nend\n'],
  },
  {
    name: 'PHP: a namespace',
    target: ['src/Zoo/Wanted.php', '<?php\nnamespace App\\Zoo;\nclass Wanted {}\n'],
    other: ['src/Ant/Unused.php', '<?php\nnamespace App\\Ant;\nclass Unused { function a() {} }\n'],
    user: [
      'src/User.php',
      '<?php\nnamespace App;\nuse App\\Zoo\\Wanted;\nclass User { function go() { return new Wanted(); } }\n',
    ],
  },
];

describe('references', () => {
  for (const { name, target, other, user } of CASES) {
    it(name, async () => {
      for (const [path, text] of [target, other, user]) bench.put(path, text);
      const order = await bench.order();
      expect(order.indexOf(target[0])).toBeGreaterThanOrEqual(0);
      expect(order.indexOf(target[0]), order.join(', ')).toBeLessThan(order.indexOf(other[0]));
    });
  }

  it('takes a package from outside for none of the files here', async () => {
    bench.put('src/react.ts', 'export const a = 1;\n');
    bench.put('src/b.ts', 'export const b = 1;\nexport const c = 1;\n');
    bench.put('src/user.ts', "import { useState } from 'react';\nuseState();\nexport const d = 1;\n");
    expect(await bench.order()).toEqual(['src/b.ts', 'src/react.ts', 'src/user.ts']);
  });

  it('comes to an end in circles', async () => {
    bench.put('a.ts', "import { b } from './b.js';\nimport { a as self } from './a.js';\nexport const a = () => b;\n");
    bench.put('b.ts', "import { a } from './a.js';\nexport const b = () => a;\n");
    bench.put('c.ts', 'export const c = 1;\nexport const d = 1;\nexport const e = 1;\n');
    const order = await bench.order();
    expect(order).toHaveLength(3);
    expect(order[2]).toBe('c.ts');
  });
});
