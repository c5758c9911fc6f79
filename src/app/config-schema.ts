/** What a configuration file may hold; checked when it is read, printed by the docs. */
import { PERMISSION_MODES } from '../types/policy.js';
import { THEME_CHOICES, type ThemeChoice } from '../ui/theme/names.js';

const texts = { type: 'array', items: { type: 'string', minLength: 1 } } as const;

/** Schema of `~/.chatcli/config.json` and, after trust, of `.chatcli/config.json`. */
export const CONFIG_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    provider: { type: 'string', minLength: 1, description: 'Provider name, as in LLM_PROVIDER.' },
    model: { type: 'string', minLength: 1, description: 'Model id.' },
    effort: { type: 'string', enum: ['low', 'medium', 'high', 'max'], description: 'How hard the model thinks.' },
    fallback: { ...texts, description: 'Providers tried in order when the first fails.' },
    toolMode: { type: 'string', enum: ['auto', 'native', 'text'], description: 'How calls are written.' },
    permissionMode: { type: 'string', enum: PERMISSION_MODES, description: 'What becomes of a question.' },
    maxTurns: { type: 'integer', minimum: 1, maximum: 200, description: 'Turns of one run.' },
    maxOutputTokens: { type: 'integer', minimum: 256, description: 'Longest reply of the model.' },
    budgetUsd: { type: 'number', minimum: 0, description: 'Dollars one run may cost.' },
    testCmd: { type: 'string', minLength: 1, description: 'Run after edits.' },
    lintCmd: { type: 'string', minLength: 1, description: 'Run after edits.' },
    allow: { ...texts, description: 'Rules that allow.' },
    deny: { ...texts, description: 'Rules that deny.' },
    addDirs: { ...texts, description: 'Further folders file tools may work in.' },
    allowUnsafe: { type: 'boolean', description: 'Lifts the list of dangerous commands. Only in your own file.' },
    lang: { type: 'string', enum: ['en', 'pt-BR'], description: 'Language of messages for people.' },
    theme: { type: 'string', enum: THEME_CHOICES, description: 'Colours of the terminal; auto follows its background.' },
    keys: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'API keys by variable name. Only in your own file, mode 0600.',
    },
    keyCommands: {
      type: 'object',
      additionalProperties: texts,
      description: 'Words of a command that prints the key. Only in your own file.',
    },
    keychain: {
      ...texts,
      description: 'Variable names whose key lies in the keychain of the system. Only in your own file.',
    },
    idleSeconds: {
      type: 'integer',
      minimum: 1,
      description: 'Seconds without a byte from the provider before it is asked again.',
    },
    maxRetries: { type: 'integer', minimum: 0, maximum: 20, description: 'Retries of one provider call.' },
  },
} as const;

/** Keys a project's own file may never set, trusted or not. */
export const OWN_FILE_ONLY: readonly string[] = ['allowUnsafe', 'keys', 'keyCommands', 'keychain'];

export interface ConfigFile {
  readonly provider?: string;
  readonly model?: string;
  readonly effort?: 'low' | 'medium' | 'high' | 'max';
  readonly fallback?: readonly string[];
  readonly toolMode?: 'auto' | 'native' | 'text';
  readonly permissionMode?: (typeof PERMISSION_MODES)[number];
  readonly maxTurns?: number;
  readonly maxOutputTokens?: number;
  readonly budgetUsd?: number;
  readonly testCmd?: string;
  readonly lintCmd?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly addDirs?: readonly string[];
  readonly allowUnsafe?: boolean;
  readonly lang?: 'en' | 'pt-BR';
  readonly theme?: ThemeChoice;
  readonly keys?: Readonly<Record<string, string>>;
  readonly keychain?: readonly string[];
  readonly keyCommands?: Readonly<Record<string, readonly string[]>>;
  readonly idleSeconds?: number;
  readonly maxRetries?: number;
}
