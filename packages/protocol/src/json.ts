import { AppError } from './errors.js';

/**
 * Deepest nesting of arrays and objects in a message. No message needs a tenth of it. The schemas recurse, so a few
 * thousand levels would exhaust the stack.
 */
export const MAX_JSON_DEPTH = 100;

/** Parses text from outside. Throws AppError BAD_JSON or TOO_DEEP. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new AppError('TOO_DEEP', { limit: MAX_JSON_DEPTH });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('BAD_JSON', { detail: (error as Error).message });
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Counts brackets outside of strings. For text that is not JSON, the result has no meaning, and JSON.parse refuses the
 * text.
 */
function isTooDeep(text: string): boolean {
  // Short text cannot exceed the limit.
  if (text.length <= MAX_JSON_DEPTH) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        if (at < 0) return false;
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_JSON_DEPTH) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
    }
  }
  return false;
}

/** Position of the quote that ends the string beginning at `from`, or -1. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return -1;
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
}
