/** The faults this folder reports, with a code screens can translate. */

export type SessionFaultCode = 'bad-id' | 'not-found' | 'locked' | 'newer' | 'not-a-log' | 'exists' | 'bad-recording' | 'io';

/** `message` is an English sentence; `code` and `values` let a screen say it in another language. */
export class SessionFault extends Error {
  readonly code: SessionFaultCode;
  readonly values: Readonly<Record<string, string | number>>;
  constructor(code: SessionFaultCode, message: string, values: Readonly<Record<string, string | number>> = {}) {
    super(message);
    this.name = 'SessionFault';
    this.code = code;
    this.values = values;
  }
}

/** The errno name of a thrown value (`ENOENT`), or an empty string. */
export function errnoOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** A short sentence for anything thrown. */
export function reasonOf(error: unknown): string {
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === 'string' && message ? message : String(error);
}

/** The fault `io` for something thrown: "cannot open /x: why". */
export function ioFault(what: string, file: string, error: unknown): SessionFault {
  const reason = reasonOf(error);
  return new SessionFault('io', `cannot ${what} ${file}: ${reason}`, { file, reason });
}
