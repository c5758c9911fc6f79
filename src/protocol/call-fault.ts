/** A call that cannot be run, found while it is read: thrown inside this folder, always handed out as a value. */
import type { ErrorCode } from '../types/tool.js';

export class CallFault extends Error {
  /** JSON pointer into the arguments; empty for the whole. */
  readonly pointer: string;
  readonly code: ErrorCode;
  constructor(message: string, options: { readonly pointer?: string; readonly code?: ErrorCode } = {}) {
    super(message);
    this.name = 'CallFault';
    this.pointer = options.pointer ?? '';
    this.code = options.code ?? 'InvalidArgs';
  }
}
