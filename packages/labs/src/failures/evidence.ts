/** Evidence of both endpoints around one attempt. */
import { lookupWcStatus, type ColumnSpec, type EndpointHandle } from '@verbslab/protocol';
import { formatTime, plural } from '../base/format.js';
import { intend } from '../endpoints/intend.js';
import type { Bench } from './bench.js';
import type { Attempt, Expected, FailureCase } from './case.js';
import { intendedOf } from './intended.js';
import { hexByte, isRnrNak } from './syndromes.js';

export type Counters = Record<string, number>;

export interface Evidence {
  attempt: Attempt;
  clientEvents: string[];
  serverEvents: string[];
  /** Syndromes of NAKs that the client received, RNR NAKs among them; null: packets cannot be seen. */
  naks: number[] | null;
  /** RDMA packets that the client sent; null: packets cannot be seen. */
  sent: number | null;
  /** Growth of each counter; null: the device has no counters. */
  clientCounters: Counters | null;
  serverCounters: Counters | null;
}

const counters = async (endpoint: EndpointHandle): Promise<Counters | null> =>
  endpoint.has('counters') ? (await endpoint.call('counters', { when: 'sample' })).values : null;

/** Growth of each counter from `before` to `after`. */
export const growth = (before: Counters | null, after: Counters | null): Counters | null =>
  before &&
  after &&
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));

/** Runs a case once and takes down everything that it left. `tapped`: the client's tap is on. */
export async function examine(
  bench: Bench,
  one: FailureCase,
  broken: boolean,
  tapped: boolean,
): Promise<Evidence> {
  const { client, server } = bench;
  await bench.events(client);
  await bench.events(server);
  if (tapped) await client.call('tap.flush', {});
  const before = { client: await counters(client), server: await counters(server) };
  if (broken) intend(bench.ctx, ...intendedOf(one));
  try {
    const attempt = await one.run(bench, broken);
    const { clientEvent, serverEvent } = broken ? one.expected : {};
    const clientEvents = await bench.events(client, clientEvent);
    const serverEvents = await bench.events(server, serverEvent);
    const list = tapped ? (await client.call('tap.flush', {})).list : null;
    const naks = list?.flatMap(({ direction, syndrome }) =>
      direction === 'received' && syndrome !== undefined && syndrome >> 5 !== 0 ? [syndrome] : [],
    );
    return {
      attempt,
      clientEvents,
      serverEvents,
      naks: naks ?? null,
      sent: list?.filter(({ direction }) => direction === 'sent').length ?? null,
      clientCounters: growth(before.client, await counters(client)),
      serverCounters: growth(before.server, await counters(server)),
    };
  } finally {
    await bench.clear();
  }
}

/** `10 REM_ACCESS_ERR`; `none` without a completion. */
export const statusText = (status: number | null): string =>
  status === null ? 'none' : `${status} ${lookupWcStatus(status).name}`;

/** `0x62`, and the number of RNR NAKs; null where packets cannot be seen. */
export function nakText(naks: readonly number[] | null): string | null {
  if (naks === null) return null;
  const rnr = naks.filter(isRnrNak).length;
  const others = [...new Set(naks.filter((syndrome) => !isRnrNak(syndrome)).map(hexByte))];
  const parts = [...others, ...(rnr === 0 ? [] : [`${rnr} × RNR`])];
  return parts.length === 0 ? 'none' : parts.join(', ');
}

export const eventText = (events: readonly string[]): string =>
  events.length === 0 ? 'none' : [...new Set(events)].join(', ');

/** The distinctive evidence of an attempt, as sentences: status or errno, NAKs, events, time. */
export function evidenceText({ attempt, naks, clientEvents, serverEvents }: Evidence): string {
  const { status, errno, elapsedNs, seen } = attempt;
  const parts = [errno ?? (status === null ? 'no completion was polled' : `status ${statusText(status)}`)];
  if (naks && naks.length > 0) parts.push(`NAK ${nakText(naks)}`);
  for (const [side, list] of [
    ['client', clientEvents],
    ['server', serverEvents],
  ] as const)
    if (list.length > 0) parts.push(`${eventText(list)} at the ${side}`);
  if (elapsedNs !== null) parts.push(`after ${formatTime(elapsedNs)}`);
  return `${parts.join(', ')}. ${seen}`;
}

/** Differences between evidence and expectation, as sentences. Evidence that a device cannot show is no fault. */
export function differences(expected: Expected, found: Evidence): string[] {
  const { attempt, clientEvents, serverEvents, naks } = found;
  const faults: string[] = [];
  const say = (what: string, wanted: string, got: string): void => {
    faults.push(`The ${what} is ${got}, not ${wanted}.`);
  };
  if (!expected.devicesDiffer && attempt.status !== expected.status)
    say('status', statusText(expected.status), statusText(attempt.status));
  const errno = expected.refused?.errno ?? null;
  if (!expected.devicesDiffer && attempt.errno !== errno)
    say('errno', errno ?? 'none', attempt.errno ?? 'none');
  if (attempt.code !== expected.code)
    say('answer of the peer’s program', expected.code ?? 'none', attempt.code ?? 'none');
  const { worked = false } = expected;
  if (worked !== null && attempt.worked !== worked)
    faults.push(attempt.worked ? 'The broken version worked.' : 'The broken version did not get there.');
  if (expected.noPackets && found.sent !== null && found.sent > 0)
    faults.push(`The client sent ${plural(found.sent, 'packet')}.`);
  const { atLeastNs } = expected;
  if (atLeastNs !== undefined && (attempt.elapsedNs ?? 0) < atLeastNs)
    say('time', `${formatTime(atLeastNs)} or more`, formatTime(attempt.elapsedNs ?? 0));
  const { clientEvent, serverEvent, nak, mayNak } = expected;
  if (clientEvent !== undefined && !clientEvents.includes(clientEvent))
    say('event at the client', clientEvent, eventText(clientEvents));
  if (serverEvent !== undefined && !serverEvents.includes(serverEvent))
    say('event at the server', serverEvent, eventText(serverEvents));
  if (naks && nak !== undefined && !naks.includes(nak)) say('NAK', hexByte(nak), nakText(naks) ?? 'none');
  if (naks && nak === undefined && naks.some((syndrome) => !isRnrNak(syndrome) && syndrome !== mayNak))
    say('NAK', 'none', nakText(naks) ?? 'none');
  for (const { side, name, atLeast } of expected.counters ?? []) {
    const grown = side === 'client' ? found.clientCounters : found.serverCounters;
    const by = grown?.[name];
    if (by !== undefined && by < atLeast)
      say(`growth of ${name} at the ${side}`, `${atLeast} or more`, String(by));
  }
  return faults;
}

/** Columns of tables of symptoms, for `symptomCells`. */
export const SYMPTOM_COLUMNS: ColumnSpec[] = [
  { name: 'status', label: 'Status' },
  { name: 'errno', label: 'Errno' },
  { name: 'clientEvent', label: 'Event at the client' },
  { name: 'serverEvent', label: 'Event at the server' },
  { name: 'nak', label: 'NAK' },
  { name: 'packets', label: 'Packets sent by the client' },
  { name: 'time', label: 'Time to the completion', unit: 'µs' },
];

export const symptomCells = ({ attempt, clientEvents, serverEvents, naks, sent }: Evidence) => ({
  status: statusText(attempt.status),
  errno: attempt.errno ?? 'none',
  clientEvent: eventText(clientEvents),
  serverEvent: eventText(serverEvents),
  nak: nakText(naks),
  packets: sent,
  time: attempt.elapsedNs === null ? null : attempt.elapsedNs / 1000,
});
