// One item of a bundle: what it may be.
import type { z } from 'zod';
import { AppError, issueText } from '../errors.js';
import { zRunEvent, type RunEvent } from '../events.js';
import { checkFrame, isForeignFrame } from '../decode-frames.js';
import { FrameError, viewOf } from '../frames.js';
import { parseJson } from '../json.js';
import { utf8Text } from './bytes.js';

export const invalid = (detail: string, cause?: unknown): AppError =>
  new AppError('BUNDLE_INVALID', { detail }, { cause });

/** JSON of a bundle by its schema, with its text. `what`: how an error names it. */
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

/** An event, and its text as it was recorded: what only another version knows stays in it. */
export const readEvent = (bytes: Uint8Array, name: string): { text: string; value: RunEvent } =>
  readJson(bytes, zRunEvent as z.ZodType<RunEvent>, name);

/** Where a frame of the stream is: its run, its place, its time. A kind that only another version knows is let pass. */
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
