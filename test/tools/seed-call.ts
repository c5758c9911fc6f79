/** What an example call of the documents is, and the files such calls run on. */
import type { JsonObject } from '../../src/types/json.js';
import type { ToolResult } from '../../src/types/tool.js';

export interface SeedCall {
  /** The JSON form: a tag, or the JSON block of the documents (given to the tool named). */
  readonly json?: string;
  readonly tool?: string;
  /** The CLI-style line. */
  readonly cli?: string;
  /** The canonical call. */
  readonly call: readonly [string, JsonObject];
  /** What the line means where the documents' two forms differ in a value. */
  readonly cliArgs?: JsonObject;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** `git`: a repository with one commit of the files, and then `changed` written over them. */
  readonly git?: boolean;
  readonly changed?: Readonly<Record<string, string>>;
  /** Programs that must be there. */
  readonly needs?: readonly string[];
  /** Calls made before this one. */
  readonly before?: readonly string[];
  /** `Code` for an error with that code; undefined for a success. */
  readonly code?: string;
  readonly output?: RegExp;
  /** Files afterwards; null: gone. */
  readonly after?: Readonly<Record<string, string | null>>;
  readonly check?: (result: ToolResult) => void;
}

export const lines = (count: number, text = 'line') => Array.from({ length: count }, (_, i) => `${text} ${i + 1}\n`).join('');
export const GO = 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("old")\n}\n';
export const GO_MOD = 'module example.com/sample\n\ngo 1.18\n';
export const GO_TEST = 'package pkg\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {}\n';
export const TREE = { 'main.go': 'package main\n', 'internal/a.go': 'package internal\n', 'notes.md': '# x\n' };
export const HANDLER = 'package main\n\nfunc HandleRequest(name string) error {\n\treturn nil\n}\n';
