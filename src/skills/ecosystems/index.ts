/** The ecosystems, one line each. */
import type { Ecosystem } from '../shared/ecosystem.js';
import type { EcosystemId } from '../shared/project.js';
import { go } from './go.js';
import { java } from './java.js';
import { javascript } from './javascript.js';
import { python } from './python.js';
import { rust } from './rust.js';

export const ECOSYSTEMS: Readonly<Record<EcosystemId, Ecosystem>> = { go, javascript, python, rust, java };
