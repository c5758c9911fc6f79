/** The script skills: one line each. */
import type { ScriptSkill } from '../types/skill.js';

export const SCRIPTS: readonly ScriptSkill[] = [];
