// Errors as they are thrown, sent and shown. The codes are in error-codes/.
import { z } from 'zod';
import { lookupErrno, lookupWcStatus } from './errno.js';
import { errorEntry, ERRORS, type ErrorCode } from './error-codes/index.js';

/**
 * A code of the table, or one that only another version knows. Its sentences come with it, so it can still be shown.
 */
export type AnyErrorCode = ErrorCode | (string & {});

/** An error in transit. `message` and `cure` are whole sentences; `detail` is for “details to copy”. */
export const zErrorInfo = z.object({
  code: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
  message: z.string(),
  cure: z.string(),
  detail: z.string().optional(),
});
export type ErrorInfo = z.infer<typeof zErrorInfo>;

export type ErrorParams = Readonly<Record<string, string | number | boolean | undefined>>;

function fill(template: string, params: ErrorParams): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}

/** Place and reason of a schema mismatch, as the end of a sentence. */
export function issueText(error: z.ZodError): string {
  const { path, message } = deepest(error.issues);
  const where = path.join('.');
  return `${where === '' ? '' : `${where}: `}${message}`;
}

/** The most specific issue. Of alternatives, the one that fits furthest says most about the error. */
function deepest(issues: readonly z.core.$ZodIssue[]): { path: readonly PropertyKey[]; message: string } {
  let best: { path: readonly PropertyKey[]; message: string } = { path: [], message: 'unreadable' };
  for (const [index, issue] of issues.entries()) {
    if (index > 0 && issue.code !== 'invalid_union') continue;
    const inner = issue.code === 'invalid_union' ? issue.errors.map(deepest) : [];
    for (const found of [
      issue,
      ...inner.map(({ path, message }) => ({ path: [...issue.path, ...path], message })),
    ])
      if (found.path.length > best.path.length || best.message === 'unreadable') best = found;
  }
  return best;
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

/** Any thrown value in transit form. A value outside the table becomes INTERNAL, with its stack as detail. */
export function toErrorInfo(error: unknown): ErrorInfo {
  if (error instanceof AppError) return error.info;
  const shaped = zErrorInfo.safeParse((error as { info?: unknown } | null)?.info);
  if (shaped.success) return shaped.data;
  if (error instanceof Error) return errorInfo('INTERNAL', { detail: error.message }, error.stack);
  return errorInfo('INTERNAL', { detail: String(error) });
}
