import { lookupWcStatus, qpnText } from '@verbslab/protocol';
import * as check from '../base/check.js';
import type { CompChannel } from './comp-channel.js';
import type { Context } from './context.js';
import { WC_FLAGS, wcOpcode } from './enums.js';
import { argumentError, completionError, timeoutError } from '../base/errors.js';
import type { NativeCq, NativeWc } from '../native/binding.js';
import type { WorkCompletion } from './types.js';

/** Limits of a wait. */
export interface WaitOptions {
  /** Milliseconds before the wait fails with ETIMEDOUT. Default: no limit. */
  timeoutMs?: number;
  /** Signal that ends the wait. The wait rejects with the signal's reason. */
  signal?: AbortSignal;
}

const BATCH = 64;

function toCompletion(wc: NativeWc): WorkCompletion {
  const completion: WorkCompletion = {
    wrId: wc.wrId,
    status: lookupWcStatus(wc.status).name,
    statusCode: wc.status,
    opcode: wcOpcode(wc.opcode),
    vendorError: wc.vendorError,
    byteLength: wc.byteLength,
    qpn: wc.qpn,
    sourceQpn: wc.sourceQpn,
    grh: wc.status === 0 && (wc.flags & WC_FLAGS.grh) !== 0,
    sourceLid: wc.slid,
    serviceLevel: wc.sl,
    pathBits: wc.pathBits,
  };
  if (wc.status === 0 && (wc.flags & WC_FLAGS.withImmediate) !== 0) completion.immediate = wc.immediate;
  if (wc.status === 0 && (wc.flags & WC_FLAGS.withInvalidate) !== 0)
    completion.invalidatedRkey = wc.invalidatedRkey;
  return completion;
}

/** A completion queue. Made by {@link Context.createCq}. */
export class Cq {
  readonly #native: NativeCq;
  readonly #wakers = new Set<() => void>();
  #events = 0;

  /** @internal */
  constructor(
    /** Device of the CQ. */
    readonly context: Context,
    native: NativeCq,
    /** Channel that announces completions; `null` if the CQ can only be polled. */
    readonly channel: CompChannel | null,
  ) {
    this.#native = native;
    channel?.attach(this);
  }

  /** @internal */
  get native(): NativeCq {
    return this.#native;
  }
  /** Number of entries that the device provides; at least the number requested. */
  get depth(): number {
    return this.#native.depth;
  }
  /** True after {@link close}. */
  get closed(): boolean {
    return this.#native.closed;
  }

  /**
   * `ibv_poll_cq`: takes available completions, oldest first.
   *
   * @param max most completions; default 16
   * @throws VerbsError EBUSY while a measuring loop has the CQ
   */
  poll(max = 16): WorkCompletion[] {
    return this.#native.poll(check.integer('ibv_poll_cq', 'max', max, 1, 65_536)).map(toCompletion);
  }

  /**
   * `ibv_resize_cq`. Waiting completions stay. {@link depth} then has the number of entries that the device provides.
   *
   * @throws VerbsError EINVAL if more completions wait than the new size can hold, or above `maxCqe`; EBUSY while a
   *   measuring loop has the CQ; EOPNOTSUPP if the provider cannot resize
   */
  resize(depth: number): void {
    this.#native.resize(check.integer('ibv_resize_cq', 'depth', depth, 1, this.context.attributes.maxCqe));
  }

  /** `ibv_req_notify_cq`: asks the channel to announce the next completion. {@link completions} does this itself. */
  reqNotify(solicitedOnly = false): void {
    this.#native.reqNotify(solicitedOnly);
  }

  /** Number of events that the channel has delivered for this CQ. Each is acknowledged when it is taken. */
  get events(): number {
    return this.#events;
  }

  /**
   * Sleeps until {@link events} exceeds `seen`, and returns it. Does not poll: arm the CQ with {@link reqNotify} and
   * poll once more before, because a completion that is already there wakes no one.
   *
   * @throws VerbsError ETIMEDOUT; the signal's reason when aborted
   */
  async eventAfter(seen: number, options: WaitOptions = {}): Promise<number> {
    if (this.#events > seen) return this.#events;
    const woken = this.#sleep(this.#channel(), options, options.timeoutMs ?? 0);
    try {
      await woken.promise;
    } finally {
      woken.cancel();
    }
    options.signal?.throwIfAborted();
    return this.#events;
  }

  /**
   * Completions as they arrive, for `for await`. Sleeps on the channel while the CQ is empty. Ends when the CQ is
   * closed or the signal aborts. Yields failed completions too: check `status`.
   *
   * @throws VerbsError ETIMEDOUT if none arrives for `timeoutMs`
   */
  async *completions(options: WaitOptions = {}): AsyncGenerator<WorkCompletion, void, undefined> {
    for (;;) {
      if (this.closed || options.signal?.aborted) return;
      const batch = await this.#next(BATCH, options);
      if (batch === null) return;
      yield* batch;
    }
  }

  /**
   * Waits for `count` completions, all of which must succeed.
   *
   * @throws VerbsError WC_* for the first that fails; ETIMEDOUT; the signal's reason when aborted
   */
  async wait(count = 1, options: WaitOptions = {}): Promise<WorkCompletion[]> {
    check.integer('ibv_poll_cq', 'count', count, 1, 0x7fff_ffff);
    const got: WorkCompletion[] = [];
    const deadline = options.timeoutMs === undefined ? undefined : performance.now() + options.timeoutMs;
    while (got.length < count) {
      options.signal?.throwIfAborted();
      const left = deadline === undefined ? {} : { timeoutMs: Math.max(0, deadline - performance.now()) };
      const batch = await this.#next(
        Math.min(BATCH, count - got.length),
        { ...options, ...left },
        options.timeoutMs,
      );
      if (batch === null) {
        options.signal?.throwIfAborted();
        throw argumentError(
          'ibv_poll_cq',
          'cq',
          'the CQ was closed while waiting',
          'Wait before you close it.',
        );
      }
      for (const wc of batch) {
        if (wc.statusCode !== 0)
          throw completionError(
            wc.statusCode,
            wc.opcode === 'UNKNOWN' ? 'work request' : wc.opcode,
            `wr_id ${wc.wrId}, QP ${qpnText(wc.qpn)}`,
            wc.vendorError,
          );
        got.push(wc);
      }
    }
    return got;
  }

  /** Returns one completion or more; null if the CQ is closed or the signal aborts meanwhile. */
  async #next(max: number, options: WaitOptions, told = options.timeoutMs): Promise<WorkCompletion[] | null> {
    const channel = this.#channel();
    for (;;) {
      if (this.closed || options.signal?.aborted) return null;
      const first = this.poll(max);
      if (first.length > 0) return first;
      // Arm first, poll again, only then sleep: a completion in between is seen either way.
      const woken = this.#sleep(channel, options, told ?? 0);
      try {
        this.reqNotify();
        const second = this.poll(max);
        if (second.length > 0) return second;
        await woken.promise;
      } finally {
        woken.cancel();
      }
    }
  }

  #channel(): CompChannel {
    if (this.channel) return this.channel;
    throw argumentError(
      'ibv_req_notify_cq',
      'cq',
      'the CQ has no completion channel',
      'Create it with a channel, or use poll().',
    );
  }

  #sleep(
    channel: CompChannel,
    options: WaitOptions,
    told: number,
  ): { promise: Promise<void>; cancel: () => void } {
    let timer: NodeJS.Timeout | undefined;
    let done = false;
    const { promise, resolve, reject } = withResolvers();
    const cancel = (): void => {
      if (done) return;
      done = true;
      this.#wakers.delete(resolve);
      options.signal?.removeEventListener('abort', resolve);
      clearTimeout(timer);
      channel.hold(this, false);
    };
    channel.hold(this, true);
    this.#wakers.add(resolve);
    options.signal?.addEventListener('abort', resolve, { once: true });
    if (options.timeoutMs !== undefined)
      timer = setTimeout(() => {
        reject(timeoutError('waiting for a completion', told));
      }, options.timeoutMs);
    // Callers that await see the rejection. After a successful second poll, no caller awaits.
    promise.catch(() => undefined);
    return { promise, cancel };
  }

  /** @internal Counts an event of this CQ that the channel took. */
  notified(): void {
    this.#events++;
    this.wake();
  }

  /** @internal Wakes all waiters: the channel took an event of this CQ, or the CQ closes. */
  wake(): void {
    for (const wake of [...this.#wakers]) wake();
  }

  /** `ibv_destroy_cq`; ends {@link completions}. @throws VerbsError EBUSY while QPs use it */
  close(): void {
    if (this.closed) return;
    this.#native.close();
    this.channel?.detach(this);
    this.wake();
  }
  [Symbol.dispose](): void {
    this.close();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve().then(() => {
      this.close();
    });
  }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
