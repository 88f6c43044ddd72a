// Texts of misuse in a program, shared by the page and the command.
import type { CallPlace } from './call-place.js';
import type { RunEventOf } from './events.js';

type Finding = Pick<RunEventOf<'finding'>, 'id' | 'call' | 'object' | 'count' | 'detail' | 'where' | 'cure'>;

const LEAK = 'object-leaked';

/** True for a leftover object. Errors come first, leaks after them. */
export const isLeak = (event: { kind: string; id?: string }): boolean =>
  event.kind === 'finding' && event.id === LEAK;

/** Findings that only the device can detect. Their place is where the object was created. */
const AT_CREATION = new Set([
  'cq-overrun',
  'rnr-storm-sent',
  'rnr-storm-received',
  'completion-error-unpolled',
  'event-unacknowledged',
  'memory-gone',
]);

const WHOLE = new Set([
  'message-dropped',
  'psn-mismatch',
  'waits-forever',
  'completion-unpolled',
  'destroy-waits',
  'async-event-unread',
]);

function participle(call: string): string {
  if (call.includes('_open_')) return 'opened';
  if (call.includes('_alloc_')) return 'allocated';
  return call.includes('_reg_') ? 'registered' : 'created';
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `main, bad.c:25`; without debug information `main, bad+0x158c`. */
export function placeText({ function: name, object, offset, file, line }: CallPlace): string {
  const place =
    file !== null && line !== null ? `${baseName(file)}:${line}` : `${baseName(object)}+${offset}`;
  return name === null ? place : `${name}, ${place}`;
}

/** A finding in one or two sentences, with the place. The cure is separate. */
export function findingText({ id, call, object, count, detail, where }: Finding): string {
  if (id === LEAK) {
    const more = count > 1 ? ` and ${count - 1} more` : '';
    return `Leaked ${object}${more}${where === null ? '' : ` (${participle(call)} by ${where})`}.`;
  }
  // Both findings name their QPs themselves.
  if (id === 'request-failed') return `${detail}.${where === null ? '' : ` It was posted by ${where}.`}`;
  if (id === 'request-refused') {
    const region = where !== null && object.startsWith('MR ');
    return `${detail}.${region ? ` ${object} was registered by ${where}.` : ''}`;
  }
  if (id === 'system-library-loaded') return `${detail}.`;
  // Findings of the device name their QPs too.
  if (WHOLE.has(id)) return `${detail}.${count > 1 ? ` It happened ${count} times.` : ''}`;
  const times = count > 1 ? `, ${count} times` : '';
  const by = where === null || AT_CREATION.has(id) ? '' : `, called by ${where}`;
  const created = where !== null && AT_CREATION.has(id) ? ` It was ${participle(call)} by ${where}.` : '';
  return `${call} on ${object}${by}${times}: ${detail}.${created}`;
}

/** Reason why call sites of these findings have no source line; null if all have one. */
export function whyNoLines(places: readonly (CallPlace | null | undefined)[]): string | null {
  const missing = places.filter((place) => place?.missing !== undefined);
  const without = missing.find((place) => place?.missing === 'debug-info');
  if (without)
    return `Source lines are missing: ${baseName(without.object)} has no debug information. Compile it with -g.`;
  if (missing.some((place) => place?.missing === 'tool'))
    return 'Source lines are missing: neither addr2line nor llvm-symbolizer is installed. Install binutils or llvm.';
  const [unread] = missing;
  return unread
    ? `Source lines are missing: ${baseName(unread.object)} could not be read, or not in time.`
    : null;
}
