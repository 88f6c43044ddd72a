import { MAX_SAMPLED, type SampledQueue } from '@verbslab/protocol';
import type { QueueUse } from '@verbslab/verbs';
import type { Session } from './session.js';

/** Least time between samples, ns. Loops report every 100 ms, each at a time of its own. */
const INTERVAL_NS = 50e6;

/**
 * Occupancy of the endpoint's queues while a loop measures: the calls that fill them are not recorded one by one. On
 * devices that do not tell, and of more queues of a kind than a sample names, there are no samples.
 */
export class QueueSampler {
  readonly #session: Session;
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
    if (queues.length > 0) this.#tell(queues);
  }

  /** A loop has ended. After the last one, calls tell. */
  end(): void {
    if (--this.#loops > 0) return;
    if (this.#last !== '') this.#tell([]);
    this.#last = '';
  }

  #tell(queues: SampledQueue[]): void {
    const text = JSON.stringify(queues);
    if (text === this.#last) return;
    this.#last = text;
    this.#session.recorder.emit({ kind: 'queues', queues, others: [] });
  }

  #queues(): SampledQueue[] {
    const { context, qps, srqs, cqs } = this.#session;
    const all = qps.newestFirst();
    if (all.length > MAX_SAMPLED || cqs.newestFirst().length > MAX_SAMPLED) return [];
    const queue = (
      kind: SampledQueue['kind'],
      number: number,
      { used, size, queued }: QueueUse,
    ): SampledQueue[] =>
      size === 0 ? [] : [{ kind, number, used, size, ...(kind === 'SQ' ? { queued } : {}) }];
    return [
      ...all.flatMap(([, qp]) => {
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
