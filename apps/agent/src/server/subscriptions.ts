import { AppError, type ClientMessageOf } from '@verbslab/protocol';
import type { Logger } from '../base/log.js';
import { answers, perClient, type Body, type Client, type Subsystem } from '../base/subsystem.js';
import type { RunManager } from '../runs/manager.js';
import type { Counters } from './metrics.js';
import { Credit, Subscription, type Outlet } from './subscription.js';
import { FairQueue } from './fair-queue.js';

const MAX_SUBSCRIPTIONS = 16;
/** Most bytes of streams that wait in this process for a client: one that never reads holds no more memory. */
const MAX_STREAM_BUFFERED = 512 * 1024;
/** Most queued stream messages: each has overhead beyond its bytes. */
const MAX_STREAM_MESSAGES = 512;

interface Options {
  manager: RunManager;
  counters: Counters;
  logger: Logger;
}

/** The streams of runs that clients follow. */
export function subscriptions(options: Options): Subsystem {
  const queue = new FairQueue();
  const of = perClient(
    (client) => new Followed(client, options, queue),
    (followed) => followed.close(),
  );
  return {
    messages: answers({
      'run.subscribe': (message, client) => of(client).subscribe(message),
      'run.unsubscribe': ({ runId }, client) => {
        of(client).unsubscribe(runId);
        return { runId };
      },
      'run.ack': ({ bytes }, client) => of(client).acknowledge(bytes),
    }),
  };
}

/** The runs that one client follows. */
class Followed {
  readonly #client: Client;
  readonly #options: Options;
  /** Queue for the streams of all clients. */
  readonly #queue: FairQueue;
  readonly #credit = new Credit();
  readonly #subscriptions = new Map<string, Subscription>();
  /** Messages of streams that wait to be written. */
  #streaming = 0;
  /** Sink of the streams. It is closed while too much waits for the client, and checked again after every read. */
  readonly #outlet: Outlet;

  constructor(client: Client, options: Options, queue: FairQueue) {
    this.#client = client;
    this.#options = options;
    this.#queue = queue;
    const isOpen = (): boolean =>
      client.waiting < MAX_STREAM_BUFFERED && this.#streaming < MAX_STREAM_MESSAGES;
    this.#outlet = {
      get open() {
        return isOpen();
      },
      text: (message) => this.#stream(message),
      binary: (frame, onWritten) => this.#stream(frame, onWritten),
    };
  }

  #stream(data: string | Buffer, onWritten?: () => void): void {
    this.#streaming++;
    this.#client.write(data, () => {
      onWritten?.();
      this.#streaming--;
      this.#schedule();
    });
  }

  #schedule(): void {
    for (const subscription of this.#subscriptions.values()) subscription.schedule();
  }

  acknowledge(bytes: number): void {
    this.#credit.acknowledge(bytes);
    this.#schedule();
  }

  /**
   * Subscribes to a run, replacing an earlier subscription to it. The stream begins in a later turn, after the reply.
   */
  subscribe({ runId, fromSeq, detail }: ClientMessageOf<'run.subscribe'>): Body<'run.subscribe'> {
    const { manager, counters, logger } = this.#options;
    const { record, reader, live } = manager.read(runId, fromSeq);
    this.unsubscribe(runId);
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS) {
      const value = this.#subscriptions.size + 1;
      throw new AppError('LIMIT', { what: 'Too many subscriptions', value, limit: MAX_SUBSCRIPTIONS });
    }
    if (this.#client.says === 'web') manager.watched(runId);
    const subscription: Subscription = new Subscription({
      runId,
      detail: detail ?? true,
      reader,
      live,
      credit: this.#credit,
      outlet: this.#outlet,
      queue: this.#queue,
      onDropped: (records) => (counters.droppedRecords += records),
      onFailure: (error) => logger.error({ err: error, run: runId }, 'the history cannot be read'),
      onEnd: () => {
        if (this.#subscriptions.get(runId) === subscription) this.#subscriptions.delete(runId);
      },
    });
    this.#subscriptions.set(runId, subscription);
    return { run: record, fromSeq: Math.max(1, fromSeq) };
  }

  unsubscribe(runId: string): void {
    this.#subscriptions.get(runId)?.close();
    this.#subscriptions.delete(runId);
  }

  close(): void {
    for (const subscription of this.#subscriptions.values()) subscription.close();
    this.#subscriptions.clear();
  }
}
