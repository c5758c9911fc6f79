#!/usr/bin/env node
// Runs one task of this repository (demo, test, check, ...), first doing whatever it still needs: install, build. No dependencies.
// Only the version check stands here, so that an old Node gets a sentence and not a syntax error.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;

if (fits) {
  import('./lib/tasks.mjs').then((tasks) => tasks.main(process.argv.slice(2)));
} else {
  console.error(
    `ChatCLI needs Node.js 20.19 or newer (of 22: 22.12 or newer); this is ${process.versions.node} (${process.execPath}).`,
  );
  console.error('Get it from https://nodejs.org or your version manager, then run the same command again.');
  process.exitCode = 1;
}
