#!/usr/bin/env node
// Sums what the phases of .ci/run reported. The last line is "N passed, N failed"; ends with 1 when anything failed.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { casesCounts, phaseCounts, total, vitestCounts } from './lib/summary.mjs';

const folder = resolve(process.argv[2] ?? '.cache/reports');
const read = (name) => {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
};

const parts = [
  vitestCounts('unit and end-to-end tests', read('vitest.json')),
  vitestCounts('long tests', read('vitest-long.json')),
  casesCounts('cases', read('cases-summary.json')),
];
parts.push(...phaseCounts(read('phases.txt') ?? '', parts));
for (const part of parts)
  console.log(`${part.name}: ${part.passed} passed, ${part.failed} failed${part.note ? ` (${part.note})` : ''}`);
const sum = total(parts);
console.log(`${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed > 0 ? 1 : 0;
