// Checks of a bundle's items.
import type { z } from 'zod';
import { issueText } from '../error-schema.js';
import { AppError } from '../errors.js';
import { zRunEvent, type RunEvent } from '../events.js';
import { checkFrame, isForeignFrame } from '../decode-frames.js';
import { FrameError, viewOf } from '../frames.js';
import { parseJson } from '../json.js';
import { utf8Text } from './bytes.js';

export const invalid = (detail: string, cause?: unknown): AppError =>
  new AppError('BUNDLE_INVALID', { detail }, { cause });

/** Reads JSON of a bundle by its schema. Returns its text too. `what`: name of the part in errors. */
export function readJson<T>(
  bytes: Uint8Array,
  schema: z.ZodType<T>,
  what: string,
): { text: string; value: T } {
  let text: string;
  let raw: unknown;
  try {
    text = utf8Text(bytes);
    raw = parseJson(text);
  } catch (error) {
    throw invalid(`${what} is not JSON (${(error as Error).message})`, error);
  }
  const read = schema.safeParse(raw);
  if (!read.success) throw invalid(`${what} does not fit its schema (${issueText(read.error)})`, read.error);
  return { text, value: read.data };
}

/** Reads an event. Returns its recorded text too, which keeps fields that only another version knows. */
export const readEvent = (bytes: Uint8Array, name: string): { text: string; value: RunEvent } =>
  readJson(bytes, zRunEvent as z.ZodType<RunEvent>, name);

/** Run, sequence number and time of a frame in the stream. Accepts kinds that only another version knows. */
export function readFrame(frame: Uint8Array, name: string): { run: number; seq: number; t: number } {
  if (isForeignFrame(frame)) {
    const view = viewOf(frame);
    return { run: view.getUint32(4, true), seq: view.getUint32(8, true), t: view.getFloat64(24, true) };
  }
  try {
    const { run, seq, t } = checkFrame(frame);
    return { run, seq, t };
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
    throw invalid(`${name} cannot be read as a frame (${error.message})`, error);
  }
}
