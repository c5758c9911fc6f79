#!/usr/bin/env node
// Reads what the demo printed and proves that the sample's tests were red first and green in the end.
import { readFileSync } from 'node:fs';

const text = readFileSync(process.argv[2] ?? 0, 'utf8');
const red = text.search(/\b1 failed\b/);
const green = text.search(/\b11 passed\b/);
const patched = text.search(/findLast/);
const fine = red >= 0 && patched > red && green > patched;
console.log(
  fine
    ? 'the demo shows a red test, the patch, and all tests green'
    : `the demo does not show it: red at ${red}, patch at ${patched}, green at ${green}`,
);
process.exitCode = fine ? 0 : 1;
