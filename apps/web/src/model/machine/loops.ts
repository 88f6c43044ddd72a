/** What measuring loops and programs did at a time, from their samples. They post by themselves: the record has sums, not each request. */
import { isFinal, SERIES_FIELDS, type Transport } from '@verbslab/protocol';
import type { Source } from '@verbslab/charts/data';
import type { RunModel } from '../run-model';

export interface Rate {
  transport: Transport;
  /** Per second, and payload in Gb/s, over the interval. */
  messages: number;
  gbps: number;
  /** Requests posted and not yet polled, on average over the interval: completions per second × their mean latency. NaN if no latency was measured. */
  outstanding: number;
}

/** What an end of a connection moved. */
export interface EndRate extends Pick<Rate, 'transport' | 'messages' | 'gbps'> {
  /** The endpoint whose sample says so: the target of one-sided operations posts nothing, and so counts nothing. */
  of: string;
  /**
   * Which way the payload went, at this end; a program may do both, and its samples count the requests that completed.
   * Null where that is not known.
   */
  way: 'sent' | 'received' | 'completed' | null;
}

export interface Loop {
  source: number;
  endpoint: string;
  role: Source['role'];
  transport: Transport;
  /** Nanoseconds since the run was created: from its first interval to its last, or so far. */
  from: number;
  to: number;
  /** QPs whose completions the record has; empty when it has none of this loop. */
  qpns: readonly number[];
}

/** Sources of RDMA whose samples say something of queues. */
export function loopsOf(run: RunModel): Loop[] {
  const loops: Loop[] = [];
  for (const [source, { what, transport, endpoint, role, t }] of run.sources) {
    if (what !== 'loop' || (transport !== 'rdma' && transport !== 'shm')) continue;
    const series = run.series.get(source);
    const length = series?.columns.length ?? 0;
    const from = length > 0 ? series!.columns.at('t', 0) - series!.columns.at('intervalNs', 0) : t;
    // One that died has no last sample, and does nothing after its run.
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

/** The interval of a loop that a time lies in; the latest when `at` is behind its end and the loop goes on. */
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

/** Which way the operation of a lab moves payload, as its client sees it. */
const CLIENT_WAY: Readonly<Record<string, 'sent' | 'received'>> = {
  write: 'sent',
  send: 'sent',
  read: 'received',
};
const OTHER_WAY = { sent: 'received', received: 'sent' } as const;

/** What each end moves at the time. */
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
