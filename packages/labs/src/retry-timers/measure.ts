import type { EndpointHandle } from '@verbslab/protocol';
import { attempt, send, write, type Bench } from '../failures/bench.js';
import { intend } from '../endpoints/intend.js';
import { RETRY_EXC_ERR, RNR_RETRY_EXC_ERR } from '../endpoints/wc-statuses.js';

/** Repetitions of one measurement: how each gave up, and after what time. */
export interface Series {
  statuses: (number | null)[];
  /** Milliseconds until the completion, inside the client’s process, sorted. */
  times: number[];
  /** Packets sent again, in each repetition; null: not counted by this device. */
  again: (number | null)[];
}

async function retransmitted(endpoint: EndpointHandle): Promise<number | null> {
  if (!endpoint.has('counters')) return null;
  return (await endpoint.call('counters', { when: 'sample' })).values.retransmitted_pkts ?? null;
}

/** Repeats a request that fails with `status`, on a new connection each time. */
async function repeated(
  bench: Bench,
  status: number,
  repeat: number,
  once: () => ReturnType<typeof attempt>,
): Promise<Series> {
  const series: Series = { statuses: [], times: [], again: [] };
  for (let i = 0; i < repeat; i++) {
    bench.ctx.signal.throwIfAborted();
    intend(bench.ctx, { role: 'client', most: 1, statuses: [status] });
    const before = await retransmitted(bench.client);
    const { status: got, elapsedNs } = await once();
    const after = await retransmitted(bench.client);
    await bench.clear();
    series.statuses.push(got);
    if (elapsedNs !== null) series.times.push(elapsedNs / 1e6);
    series.again.push(before === null || after === null ? null : after - before);
  }
  series.times.sort((a, b) => a - b);
  return series;
}

const PATIENCE_MS = 30_000;

/** WRITEs to a QP that is gone. */
export const unanswered = (
  bench: Bench,
  timeout: number,
  retryCount: number,
  repeat: number,
): Promise<Series> =>
  repeated(bench, RETRY_EXC_ERR, repeat, async () => {
    const pair = await bench.pair({ timeout, retryCount });
    const { endpoint, qp } = pair.server;
    await endpoint.call('destroy', { what: 'qp', handle: qp.qp });
    return attempt(pair.client, write(pair), PATIENCE_MS);
  });

/** SENDs to a QP without a RECV. */
export const unreceived = (
  bench: Bench,
  minRnrTimer: number,
  rnrRetry: number,
  repeat: number,
): Promise<Series> =>
  repeated(bench, RNR_RETRY_EXC_ERR, repeat, async () => {
    const pair = await bench.pair({ rnrRetry }, { minRnrTimer });
    return attempt(pair.client, send(pair), PATIENCE_MS);
  });

export const middle = ({ times }: Series): number | null => times[Math.floor((times.length - 1) / 2)] ?? null;
