// Problems of a run, found in its stream by the audit's own rules.
import { itemsOf, type Item, type RunExport } from './export.js';

/** Counters that move if something was lost, refused or repeated. */
const FAULTY = /err|nak|retrans|dropped|violation|overrun|lost|downed|out_of|exceeded|duplicate|malformed/i;
/** Counters that also move without a fault: packets that a retry sends twice, answers of the device, deferred ACKs. */
const NO_FAULT_BY_THEMSELVES =
  /^(duplicate_request|naks_sent|ack_deferred|malformed_pkts|wc_.*|posted_.*|faults?_.*)$/;
const SUCCESS = 0;
const FLUSHED = 5;

export interface CounterMove {
  endpoint: string;
  name: string;
  by: number;
}

interface Counters {
  before: Record<string, number> | null;
  last: Record<string, number>;
}

/** First and last snapshot of each endpoint. */
export function countersOf(data: RunExport): Map<string, Counters> {
  const all = new Map<string, Counters>();
  for (const { endpoint = '', when, values } of itemsOf(data, 'counter')) {
    const known = all.get(endpoint);
    all.set(endpoint, { before: when === 'before' ? values : (known?.before ?? null), last: values });
  }
  return all;
}

/** Increase of an endpoint's counter during the run. */
export function growth(data: RunExport, endpoint: string, name: string): number {
  const { before, last } = countersOf(data).get(endpoint)!;
  return (last[name] ?? 0) - (before?.[name] ?? 0);
}

export function faultyMoves(data: RunExport): CounterMove[] {
  return [...countersOf(data)].flatMap(([endpoint, { last }]) =>
    Object.keys(last)
      .filter((name) => FAULTY.test(name) && !NO_FAULT_BY_THEMSELVES.test(name))
      .map((name) => ({ endpoint, name, by: growth(data, endpoint, name) }))
      .filter(({ by }) => by > 0),
  );
}

/** Names under which devices count the same thing. A page shows it once. */
const SAME: readonly (readonly string[])[] = [
  ['rnr_nak_retry_err', 'rcvd_rnr_err'],
  ['packet_seq_err', 'rcvd_seq_err'],
  ['out_of_sequence', 'out_of_seq_request'],
];

const sameName = (name: string): string => SAME.find((each) => each.includes(name))?.[0] ?? name;

export const isFlushed = (item: Item): boolean => item.kind === 'completion' && item.wc.status === FLUSHED;

function failed(item: Item): boolean {
  if (item.kind === 'verb') return item.error !== undefined && !item.injected;
  if (item.kind === 'completion') return item.wc.status !== SUCCESS && !isFlushed(item);
  if (item.kind === 'check') return !item.ok;
  if (item.kind === 'async') return !/EST|DRAINED|LAST_WQE|MIG$|ACTIVE|CHANGE|REREGISTER/.test(item.event);
  // An unread event is in the stream itself.
  return item.kind === 'finding' && item.id !== 'async-event-unread';
}

const roleOf = (endpoint = ''): string => endpoint.split(/-(?=\d+$)/)[0]!;

/** Errors that the lab announced to cause at an endpoint. */
const announced = (data: RunExport, endpoint: string | undefined) =>
  itemsOf(data, 'intended')
    .flatMap(({ refusals }) => refusals)
    .filter(({ role }) => role === roleOf(endpoint));

/** Number of items like this one that the lab announced for its endpoint. */
function announcedLike(data: RunExport, item: Item): number {
  const errno = item.kind === 'verb' ? /\((E[A-Z]+)\)/.exec(item.error?.message ?? '')?.[1] : undefined;
  return announced(data, 'endpoint' in item ? item.endpoint : undefined)
    .filter((one) => {
      if (item.kind === 'completion') return one.statuses?.includes(item.wc.status);
      if (item.kind === 'async') return one.events?.includes(item.event);
      if (item.kind !== 'verb') return false;
      return one.calls?.some((refused) => refused.call === item.call && refused.errno === errno);
    })
    .reduce((sum, { most = Infinity }) => sum + most, 0);
}

function alike(a: Item, b: Item): boolean {
  if ('endpoint' in a && 'endpoint' in b && a.endpoint !== b.endpoint) return false;
  if (a.kind === 'completion') return b.kind === a.kind && a.wc.status === b.wc.status;
  if (a.kind === 'async') return b.kind === a.kind && a.event === b.event;
  return a.kind === 'verb' && b.kind === 'verb' && a.call === b.call && a.error?.message === b.error?.message;
}

/** Failed items that the lab announced: the first ones of equal items, as many as announced. */
function onPurpose(data: RunExport): Item[] {
  const items = data.events.filter(failed);
  return items.filter((item, i) => {
    const before = items.slice(0, i).filter((one) => alike(item, one)).length;
    return before < announcedLike(data, item);
  });
}

const movedOnPurpose = (data: RunExport, { endpoint, name }: CounterMove): boolean =>
  announced(data, endpoint).some(({ counters = [] }) =>
    counters.some((one) => one === name || SAME.some((each) => each.includes(one) && each.includes(name))),
  );

/** Number of failed items, and of moved counters, that the lab announced. */
export function intendedIn(data: RunExport): number {
  const counters = faultyMoves(data).filter((move) => movedOnPurpose(data, move));
  return (
    onPurpose(data).length +
    new Set(counters.map(({ endpoint, name }) => `${endpoint} ${sameName(name)}`)).size
  );
}

/** Unannounced problems: items, and counters. Counters with the same meaning appear once. */
export function unannounced(data: RunExport): { items: Item[]; moves: CounterMove[] } {
  const meant = new Set(onPurpose(data));
  const moves = new Map<string, CounterMove>();
  for (const move of faultyMoves(data).filter((each) => !movedOnPurpose(data, each)))
    moves.set(`${move.endpoint} ${sameName(move.name)}`, move);
  const items = data.events.filter((item) => failed(item) && !meant.has(item));
  return { items: items.toSorted((a, b) => a.t - b.t), moves: [...moves.values()] };
}
