import type { IncomingMessage } from 'node:http';
import { formatBytes } from '@verbslab/labs';
import { AppError } from '@verbslab/protocol';

/** Longest pause of an upload, and its longest duration, ms. */
const UPLOAD_IDLE_MS = 30_000;
const UPLOAD_MS = 60 * 60_000;

const tooLarge = (bytes: number, limit: number): AppError =>
  new AppError('BUNDLE_TOO_LARGE', {
    what: `the file has ${bytes === Infinity ? `more than ${formatBytes(limit)}` : formatBytes(bytes)}`,
    limit: formatBytes(limit),
  });

/**
 * The body of an upload, read at the caller's pace, so that TCP slows a fast sender down. A sender with too long a
 * pause is cut off: it could keep an import open otherwise. The agent's own time does not count. Throws AppError
 * BUNDLE_TOO_LARGE or IMPORT_STALLED.
 */
export async function* uploadOf(
  request: IncomingMessage,
  limit: number,
  idleMs = UPLOAD_IDLE_MS,
): AsyncGenerator<Uint8Array> {
  const told = Number(request.headers['content-length'] ?? 0);
  if (told > limit) throw tooLarge(told, limit);
  const body = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  const begun = Date.now();
  let bytes = 0;
  let silent = false;
  try {
    for (;;) {
      if (Date.now() - begun > UPLOAD_MS) throw stalled(`it took more than ${UPLOAD_MS / 60_000} minutes`);
      silent = true;
      const next = await inTime(body.next(), idleMs);
      silent = false;
      if (next.done) return;
      bytes += next.value.length;
      if (bytes > limit) throw tooLarge(Infinity, limit);
      yield next.value;
    }
  } finally {
    // The rest is read and dropped, so that the client gets to the answer. A silent client sends no rest.
    if (!silent) {
      await body.return?.();
      request.resume();
    }
  }
}

const stalled = (detail: string): AppError => new AppError('IMPORT_STALLED', { detail });

async function inTime<T>(next: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(stalled(`nothing came for ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([next, late]);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw stalled('the other side closed the connection');
  } finally {
    clearTimeout(timer);
  }
}
