#!/usr/bin/env node
// Reads what the demo printed and proves that the sample's tests were red first and green in the end, and that one line was changed.
import { readFileSync } from 'node:fs';

const text = readFileSync(process.argv[2] ?? 0, 'utf8');
const red = text.search(/\b1 failed\b/);
const green = text.search(/\b11 passed\b/);
const patched = /^-.*TIERS\.find\(.*\n\+.*TIERS\.findLast\(/m.test(text);
const fine = red >= 0 && green > red && patched;
console.log(
  fine
    ? 'the demo shows a red test, the patch, and all tests green'
    : `the demo does not show it: red at ${red}, green at ${green}, patch ${patched}`,
);
process.exitCode = fine ? 0 : 1;
