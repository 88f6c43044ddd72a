import { MAX_SAMPLED, QUEUE_KINDS, type QueueSample, type SampledQueue } from '@verbslab/protocol';
import type { QueueUse } from '@verbslab/verbs';
import type { Session } from './session.js';

/** Least time between samples, ns. Loops report every 100 ms, each at a time of its own. */
const INTERVAL_NS = 50e6;

/**
 * A sample of these queues. Of each kind it names the fullest, of receive queues in use the emptiest, and sums up the rest.
 * `received`: QP numbers whose receive queue has held something.
 */
export function sampleOf(all: readonly SampledQueue[], received: ReadonlySet<number>): QueueSample {
  const queues: SampledQueue[] = [];
  const others: QueueSample['others'] = [];
  for (const kind of QUEUE_KINDS) {
    const own = all.filter((queue) => queue.kind === kind);
    if (own.length > MAX_SAMPLED) own.sort((a, b) => trouble(b, received) - trouble(a, received));
    queues.push(...own.slice(0, MAX_SAMPLED));
    const rest = own.slice(MAX_SAMPLED);
    if (rest.length === 0) continue;
    const sum = (of: 'used' | 'size'): number => rest.reduce((n, queue) => n + queue[of], 0);
    others.push({ kind, queues: rest.length, used: sum('used'), size: sum('size') });
  }
  return { queues, others };
}

/** How near a queue is to trouble, from 0 to 1: full, or if it is for receives, empty. */
function trouble({ kind, number, used, size }: SampledQueue, received: ReadonlySet<number>): number {
  if (kind !== 'RQ') return used / size;
  return received.has(number) ? 1 - used / size : 0;
}

/**
 * Occupancy of the endpoint's queues while a loop measures: the calls that fill them are not recorded one by one. On
 * devices that do not tell, there are no samples.
 */
export class QueueSampler {
  readonly #session: Session;
  readonly #received = new Set<number>();
  #last = '';
  #at = 0;
  #loops = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  begin(): void {
    this.#loops++;
  }

  sample(): void {
    const { recorder } = this.#session;
    const now = recorder.now();
    if (now - this.#at < INTERVAL_NS || !this.#session.can('queues')) return;
    this.#at = now;
    const queues = this.#queues();
    for (const { kind, number, used } of queues) if (kind === 'RQ' && used > 0) this.#received.add(number);
    if (queues.length > 0) this.#tell(sampleOf(queues, this.#received));
  }

  /** A loop has ended. After the last one, calls tell. */
  end(): void {
    if (--this.#loops > 0) return;
    if (this.#last !== '') this.#tell({ queues: [], others: [] });
    this.#last = '';
  }

  #tell({ queues, others }: QueueSample): void {
    const text = JSON.stringify([queues, others]);
    if (text === this.#last) return;
    this.#last = text;
    this.#session.recorder.emit({ kind: 'queues', queues, others });
  }

  #queues(): SampledQueue[] {
    const { context, qps, srqs, cqs } = this.#session;
    const queue = (
      kind: SampledQueue['kind'],
      number: number,
      { used, size, queued }: QueueUse,
    ): SampledQueue[] =>
      size === 0 ? [] : [{ kind, number, used, size, ...(kind === 'SQ' ? { queued } : {}) }];
    return [
      ...qps.newestFirst().flatMap(([, qp]) => {
        const { send, recv } = context.extensions.qpQueues(qp);
        return [...queue('SQ', qp.qpn, send), ...queue('RQ', qp.qpn, recv)];
      }),
      ...srqs
        .newestFirst()
        .flatMap(([handle, srq]) => queue('SRQ', handle, context.extensions.srqQueue(srq))),
      ...cqs.newestFirst().flatMap(([handle, cq]) => queue('CQ', handle, context.extensions.cqQueue(cq))),
    ];
  }
}
