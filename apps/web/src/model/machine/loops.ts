/**
 * Rates of measuring loops and programs at a time, from their samples. The record has sums over their requests, not
 * each request.
 */
import { isFinal, SERIES_FIELDS, type Transport } from '@verbslab/protocol';
import type { Source } from '@verbslab/charts/data';
import type { RunModel } from '../run-model';

export interface Rate {
  transport: Transport;
  /** Messages per second and payload in Gb/s, over the interval. */
  messages: number;
  gbps: number;
  /**
   * Requests posted and not yet polled, on average over the interval: completions per second × their mean latency. NaN
   * if no latency was measured.
   */
  outstanding: number;
}

/** Rates at an end of a connection. */
export interface EndRate extends Pick<Rate, 'transport' | 'messages' | 'gbps'> {
  /** Endpoint whose sample has the rates: the target of one-sided operations posts nothing, and so counts nothing. */
  of: string;
  /**
   * Direction of the payload at this end. A program may send and receive, and its samples count completed requests.
   * Null if unknown.
   */
  way: 'sent' | 'received' | 'completed' | null;
}

export interface Loop {
  source: number;
  endpoint: string;
  role: Source['role'];
  transport: Transport;
  /** Nanoseconds since the run was created: from the first interval to the last, or to the latest. */
  from: number;
  to: number;
  /** QPs whose completions are in the record; empty if the record has none of this loop. */
  qpns: readonly number[];
}

/** Loops of RDMA, whose samples allow statements about queues. */
export function loopsOf(run: RunModel): Loop[] {
  const loops: Loop[] = [];
  for (const [source, { what, transport, endpoint, role, t }] of run.sources) {
    if (what !== 'loop' || (transport !== 'rdma' && transport !== 'shm')) continue;
    const series = run.series.get(source);
    const length = series?.columns.length ?? 0;
    const from = length > 0 ? series!.columns.at('t', 0) - series!.columns.at('intervalNs', 0) : t;
    // A loop that died has no last sample; it ends with its run at the latest.
    const over = (series?.ended ?? false) || isFinal(run.record.state);
    const to = over && length > 0 ? series!.columns.at('t', length - 1) : Infinity;
    loops.push({
      ...{ source, transport, from, to },
      endpoint: endpoint ?? role,
      role,
      qpns: run.completions.qpns.get(source) ?? [],
    });
  }
  return loops;
}

/** Rates in the interval at a time; those of the latest interval if `at` is after its end and the loop goes on. */
export function rateAt(run: RunModel, loop: Loop, at: number): Rate | null {
  const columns = run.series.get(loop.source)?.columns;
  if (!columns || columns.length === 0 || at < loop.from || at > loop.to) return null;
  const times = columns.column(SERIES_FIELDS[0]);
  let low = 0;
  let high = columns.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < at) low = middle + 1;
    else high = middle;
  }
  const ns = columns.at('intervalNs', low);
  if (!(ns > 0)) return null;
  const messages = columns.at('messages', low) / ns;
  return {
    transport: loop.transport,
    messages: messages * 1e9,
    gbps: (columns.at('bytes', low) * 8) / ns,
    outstanding: messages === 0 ? NaN : messages * columns.at('latencyMeanNs', low),
  };
}

/** Direction of a lab operation's payload, as its client sees it. */
const CLIENT_WAY: Readonly<Record<string, 'sent' | 'received'>> = {
  write: 'sent',
  send: 'sent',
  read: 'received',
};
const OTHER_WAY = { sent: 'received', received: 'sent' } as const;

/** Rates at each end at the time. */
export function endRates(
  run: Pick<RunModel, 'record'>,
  loops: readonly (Loop & { rate: Rate | null })[],
): Map<string, EndRate[]> {
  const { operation } = run.record.parameters;
  const clientWay = typeof operation === 'string' ? (CLIENT_WAY[operation] ?? null) : null;
  const ends = new Map<string, EndRate[]>();
  for (const { endpoint, role, transport, rate } of loops) {
    if (!rate) continue;
    const server = role === 'server';
    const labWay = clientWay !== null && server ? OTHER_WAY[clientWay] : clientWay;
    const way = role === 'process' ? 'completed' : labWay;
    const peer =
      server && way !== null && rate.messages === 0
        ? loops.find((one) => one.role === 'client' && one.transport === transport && one.rate)
        : undefined;
    const { messages, gbps } = peer?.rate ?? rate;
    const list = ends.get(endpoint) ?? [];
    ends.set(endpoint, [...list, { transport, messages, gbps, of: peer?.endpoint ?? endpoint, way }]);
  }
  return ends;
}
