import type { EventKind, RunEvent, RunEventOf } from '../events.js';
import { errnoOf } from '../intended.js';
import { isProblem } from '../problems.js';

/** An error in a few words, with its details. */
export interface TraceError {
  name: string;
  args: object;
}

const ERRORS: { readonly [K in EventKind]?: (event: RunEventOf<K>) => TraceError | null } = {
  'run.state': ({ state, error }) =>
    error ? { name: `run ${state}: ${error.message}`, args: { ...error } } : null,
  verb: (event) => ({
    name: `${event.call}: ${errnoOf(event) ?? event.error?.code ?? 'failed'}`,
    args: { error: event.error?.message },
  }),
  completion: ({ wc: { statusName, qpn, wrId, vendorErr } }) => ({
    name: statusName,
    args: { qpn, wrId, vendorErr },
  }),
  async: ({ event, qpn, cq, srq }) => ({ name: event, args: { qpn, cq, srq } }),
  check: ({ id, detail }) => ({ name: `failed check: ${id}`, args: { detail } }),
  finding: ({ id, call, object, count, detail, where }) => ({
    name: id,
    args: { call, object, count, detail, where },
  }),
};

/** The error of an event; null if the event reports none. */
export function errorOf(event: RunEvent): TraceError | null {
  if (event.kind !== 'run.state' && !isProblem(event)) return null;
  const describe = ERRORS[event.kind] as ((event: RunEvent) => TraceError | null) | undefined;
  return describe?.(event) ?? null;
}
