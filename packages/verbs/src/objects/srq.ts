import * as check from '../base/check.js';
import type { NativeSrq } from '../native/binding.js';
import type { Pd } from './pd.js';
import type { RecvWr, SrqStatus } from './types.js';
import { toNativeRecv } from './work.js';

/**
 * A shared receive queue: a receive queue for many QPs. Made by {@link Pd.createSrq}. A QP created with `srq` uses it.
 */
export class Srq {
  readonly #native: NativeSrq;

  /** @internal */
  constructor(
    /** Protection domain of the queue. */
    readonly pd: Pd,
    native: NativeSrq,
  ) {
    this.#native = native;
  }

  /** @internal */
  get native(): NativeSrq {
    return this.#native;
  }
  /** True after {@link close}. */
  get closed(): boolean {
    return this.#native.closed;
  }

  /** `ibv_post_srq_recv`, one call for the whole list. @throws VerbsError ENOMEM if the queue is full */
  postRecv(wrs: RecvWr | readonly RecvWr[]): void {
    this.#native.postRecv(toNativeRecv('ibv_post_srq_recv', wrs));
  }

  /**
   * `ibv_modify_srq` with the given changes.
   *
   * @param change `maxWr`: receives that the queue must hold. `limit`: the device raises SRQ_LIMIT_REACHED once when
   *   fewer receives are left ({@link Context.events}); 0 requests no event
   * @throws VerbsError EINVAL if the limit is above maxWr, or if the queue holds more receives than the new maxWr
   */
  modify(change: { maxWr?: number; limit?: number }): void {
    const call = 'ibv_modify_srq';
    const count = (param: 'maxWr' | 'limit', min: number): number | undefined =>
      change[param] === undefined ? undefined : check.integer(call, param, change[param], min, 0xffff_ffff);
    this.#native.modify(count('maxWr', 1), count('limit', 0));
  }

  /** `ibv_query_srq`. */
  query(): SrqStatus {
    return this.#native.query();
  }

  /** `ibv_destroy_srq`. @throws VerbsError EBUSY while QPs use the queue */
  close(): void {
    this.#native.close();
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
