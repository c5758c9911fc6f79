#!/usr/bin/env node
/** The program: the version at once, everything else through the command line of `app`. */
import * as nodeModule from 'node:module';
import { VERSION } from './app/version.js';

async function main(): Promise<void> {
  const [first, ...rest] = process.argv.slice(2);
  if ((first === '--version' || first === '-v') && rest.length === 0) {
    process.stdout.write(`chatcli ${VERSION}\n`);
    return;
  }
  // Node 22 and later keep compiled code between starts.
  (nodeModule as { enableCompileCache?(): unknown }).enableCompileCache?.();
  const { runCli } = await import('./app/cli.js');
  const code = await runCli(process.argv.slice(2));
  process.exitCode ||= code;
}

await main();
