// Errors that arrive from elsewhere: their schema, and what did not fit a schema in words.
import { z } from 'zod';
import { AppError, errorInfo, type ErrorInfo } from './errors.js';

export const zErrorInfo = z.object({
  code: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
  message: z.string(),
  cure: z.string(),
  detail: z.string().optional(),
}) satisfies z.ZodType<ErrorInfo>;

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

/** Any thrown value in transit form. A value outside the table becomes INTERNAL, with its stack as detail. */
export function toErrorInfo(error: unknown): ErrorInfo {
  if (error instanceof AppError) return error.info;
  const shaped = zErrorInfo.safeParse((error as { info?: unknown } | null)?.info);
  if (shaped.success) return shaped.data;
  if (error instanceof Error) return errorInfo('INTERNAL', { detail: error.message }, error.stack);
  return errorInfo('INTERNAL', { detail: String(error) });
}
