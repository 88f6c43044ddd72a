// Errors as they are thrown and shown. The codes are in error-codes/, the schema in error-schema.ts: pages use these
// errors, and must not load a validator for them.
import { lookupErrno, lookupWcStatus } from './errno.js';
import { errorEntry, ERRORS, type ErrorCode } from './error-codes/index.js';

/**
 * A code of the table, or one that only another version knows. Its sentences come with it, so it can still be shown.
 */
export type AnyErrorCode = ErrorCode | (string & {});

/** An error in transit. `message` and `cure` are whole sentences; `detail` is for “details to copy”. */
export interface ErrorInfo {
  code: string;
  message: string;
  cure: string;
  detail?: string | undefined;
}

export type ErrorParams = Readonly<Record<string, string | number | boolean | undefined>>;

function fill(template: string, params: ErrorParams): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}

/** The transit form of a code from the table. */
export function errorInfo(code: ErrorCode, params: ErrorParams = {}, detail?: string): ErrorInfo {
  const entry = ERRORS[code];
  const info: ErrorInfo = {
    code,
    message: fill(entry.message, params),
    cure: fill(entry.cure, params),
  };
  return detail === undefined ? info : { ...info, detail };
}

/** An error of the table that can be thrown. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly info: ErrorInfo;

  constructor(
    error: ErrorCode | ErrorInfo,
    params: ErrorParams = {},
    options: { detail?: string; cause?: unknown } = {},
  ) {
    const info = typeof error === 'string' ? errorInfo(error, params, options.detail) : error;
    super(info.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.info = info;
  }

  /** Rebuilds an error from its transit form. */
  static from(info: ErrorInfo): AppError {
    return new AppError(info);
  }

  get code(): AnyErrorCode {
    return this.info.code;
  }

  /** Exit code of the command: 2 for an invalid request, 1 for a failure. */
  get exitCode(): 1 | 2 {
    return errorEntry(this.info.code)?.usage ? 2 : 1;
  }
}

/**
 * A failed verbs or system call, explained from the errno table. `hint` replaces the table's cure. `reason`, from the
 * layer that refused the call, replaces its meaning.
 */
export function callFailed(
  kind: 'VERBS' | 'SYSTEM',
  call: string,
  errno: number | string,
  hint?: string,
  reason?: string,
): AppError {
  const entry = lookupErrno(errno);
  const name = entry?.name ?? `errno ${errno}`;
  const meaning = reason ?? entry?.meaning ?? 'the system gave no reason';
  return new AppError(kind, { call, name, meaning, hint: hint ?? entry?.cure ?? 'See the log.' });
}

/** A failed completion, explained from the status table. */
export function completionFailed(opcode: string, status: number): AppError {
  const entry = lookupWcStatus(status);
  return new AppError('COMPLETION', {
    opcode,
    status,
    name: entry.name,
    meaning: entry.meaning,
    hint: entry.cure,
  });
}
