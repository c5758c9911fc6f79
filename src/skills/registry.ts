/** All script skills, one line each, in the order of their names. */
import type { ScriptSkill } from '../types/skill.js';
import { auditDeps } from './audit-deps.js';
import { batchRead } from './batch-read.js';
import { buildCheck } from './build-check.js';
import { checkDeps } from './check-deps.js';
import { diffReview } from './diff-review.js';
import { findUntested } from './find-untested.js';
import { fixImports } from './fix-imports.js';
import { formatCode } from './format-code.js';
import { mapProject } from './map-project.js';
import { renameSymbol } from './rename-symbol.js';
import { reviewChanges } from './review-changes.js';
import { runCoverage } from './run-coverage.js';
import { runTests } from './run-tests.js';
import { scanLint } from './scan-lint.js';
import { smartCommit } from './smart-commit.js';
import { updateDeps } from './update-deps.js';
import { whyDep } from './why-dep.js';

export const SCRIPT_SKILLS: readonly ScriptSkill[] = [
  auditDeps,
  batchRead,
  buildCheck,
  checkDeps,
  diffReview,
  findUntested,
  fixImports,
  formatCode,
  mapProject,
  renameSymbol,
  reviewChanges,
  runCoverage,
  runTests,
  scanLint,
  smartCommit,
  updateDeps,
  whyDep,
];
