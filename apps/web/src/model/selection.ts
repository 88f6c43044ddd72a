/**
 * Selection on a run page. The address has it, so that all views of the page show the same, and a link leads to it:
 * `wr` (the sequence number of a `wr` event), `packet` (its number in the list, from 1), `qp` (`endpoint:QPN`) and
 * `event` (the sequence number of any other event).
 */
export type Selection =
  | { kind: 'wr'; seq: number }
  | { kind: 'packet'; index: number }
  | { kind: 'qp'; endpoint: string; qpn: number }
  | { kind: 'event'; seq: number };

const NAMES = ['wr', 'packet', 'qp', 'event'] as const;

/** Parses a whole number without sign, if it is exact. */
function whole(text: string | null): number | null {
  if (text === null || !/^\d{1,15}$/.test(text)) return null;
  return Number(text);
}

/** True if an address names a time or a time span of the timeline. */
export const namesTime = (query: Pick<URLSearchParams, 'get'>): boolean =>
  ['t', 'from', 'to'].some((name) => query.get(name) !== null);

/** Null if nothing is selected, or if the address is damaged. */
export function readSelection(query: Pick<URLSearchParams, 'get'>): Selection | null {
  const wr = whole(query.get('wr'));
  if (wr !== null) return { kind: 'wr', seq: wr };
  const packet = whole(query.get('packet'));
  if (packet !== null && packet > 0) return { kind: 'packet', index: packet - 1 };
  const event = whole(query.get('event'));
  if (event !== null) return { kind: 'event', seq: event };
  const qp = query.get('qp');
  const colon = qp?.lastIndexOf(':') ?? -1;
  const qpn = colon < 0 ? null : whole(qp!.slice(colon + 1));
  return qpn === null ? null : { kind: 'qp', endpoint: qp!.slice(0, colon), qpn };
}

/** Replaces the selection in a query. */
export function writeSelection(query: URLSearchParams, selection: Selection | null): void {
  for (const name of NAMES) query.delete(name);
  if (selection === null) return;
  switch (selection.kind) {
    case 'wr':
    case 'event':
      query.set(selection.kind, String(selection.seq));
      break;
    case 'packet':
      query.set('packet', String(selection.index + 1));
      break;
    case 'qp':
      query.set('qp', `${selection.endpoint}:${selection.qpn}`);
      break;
  }
}

export const sameSelection = (a: Selection | null, b: Selection | null): boolean =>
  a === b || (a !== null && b !== null && JSON.stringify(a) === JSON.stringify(b));
