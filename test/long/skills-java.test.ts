/** The scripts on a real Maven project without a network: as far as an offline Maven goes, and honest where it does not. */
import { chmodSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { which } from '../../src/process/which.js';
import { auditDeps } from '../../src/skills/audit-deps.js';
import { buildCheck } from '../../src/skills/build-check.js';
import { findUntested } from '../../src/skills/find-untested.js';
import { formatCode } from '../../src/skills/format-code.js';
import { mapProject } from '../../src/skills/map-project.js';
import { runCoverage } from '../../src/skills/run-coverage.js';
import { scanLint } from '../../src/skills/scan-lint.js';
import { updateDeps } from '../../src/skills/update-deps.js';
import { whyDep } from '../../src/skills/why-dep.js';
import { type Bench, listIn, makeBench, sections } from '../skills/harness.js';

const noMaven = which('mvn', { PATH: process.env['PATH'] ?? '' }) === undefined ? 'mvn is not installed' : undefined;

const FILES = {
  'pom.xml':
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>com.example</groupId><artifactId>shop</artifactId><version>1</version><properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target></properties><repositories><repository><id>central</id><url>http://127.0.0.1:9/maven2</url></repository></repositories><pluginRepositories><pluginRepository><id>central</id><url>http://127.0.0.1:9/maven2</url></pluginRepository></pluginRepositories></project>\n',
  'src/main/java/com/example/Cart.java':
    'package com.example;\n\npublic class Cart {\n    public int total(int a) {\n        return a;\n    }\n\n    public int forgotten() {\n        return 0;\n    }\n}\n',
  'src/main/java/com/example/Priced.java': 'package com.example;\n\npublic interface Priced {\n    int price();\n}\n',
  'src/test/java/com/example/CartTest.java':
    'package com.example;\n\npublic class CartTest {\n    public void totals() {\n        new Cart().total(1);\n    }\n}\n',
};

describe('a Java project', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await makeBench({ files: FILES });
  });
  afterAll(() => bench.close());

  it('is mapped and searched without Maven', async () => {
    const map = await bench.run(mapProject, {});
    expect(listIn(map.data, 'interfaces').map(({ text }) => text)).toEqual(['public interface Priced {']);
    const { data } = await bench.run(findUntested, {});
    expect(listIn(data, 'untested').map(({ owner, name }) => [owner, name])).toEqual([['Cart', 'forgotten']]);
  });

  it('says what its build does not configure', async () => {
    for (const script of [scanLint, runCoverage, auditDeps, formatCode]) {
      const outcome = await bench.run(script, {});
      expect(outcome.status, script.name).toBe('not-available');
      expect(outcome.text).toContain('add ');
    }
  });

  it('compiles, or says that its plugins cannot be fetched', async (context) => {
    if (noMaven !== undefined) context.skip(noMaven);
    const build = await bench.run(buildCheck, {});
    expect(['ok', 'not-available'], build.text).toContain(build.status);
    for (const script of [updateDeps, whyDep]) {
      const outcome = await bench.run(script, script === whyDep ? { module: 'org.example:x' } : {});
      expect(['ok', 'not-available'], outcome.text).toContain(outcome.status);
    }
    if (build.status === 'not-available')
      context.skip(`Maven has no plugins here: ${String(sections(build.data)[0]?.['summary']).slice(0, 120)}`);
    bench.put('src/main/java/com/example/Bad.java', 'package com.example;\n\nclass Bad { int x = "s"; }\n');
    const red = await bench.run(buildCheck, {});
    expect(listIn(sections(red.data)[0], 'findings')[0], red.text).toMatchObject({
      file: 'src/main/java/com/example/Bad.java',
      line: 3,
    });
  });

  it('takes the wrapper of the project before anything in PATH', async () => {
    const wrapped = await makeBench({
      files: { ...FILES, mvnw: '#!/bin/sh\necho "[ERROR] $PWD/src/A.java:[3,5] cannot find symbol"\nexit 1\n' },
    });
    chmodSync(`${wrapped.root}/mvnw`, 0o755);
    const { data } = await wrapped.run(buildCheck, {});
    expect(sections(data)[0]).toMatchObject({
      command: expect.stringMatching(/^\.\/mvnw /),
      findings: [{ file: 'src/A.java', line: 3, column: 5, message: 'cannot find symbol' }],
    });
    await wrapped.close();
  });
});
