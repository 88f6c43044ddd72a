import { PSN_MODULUS, psnDistance } from '../../models/psn.js';

/**
 * PSNs of one requester with the 24-bit wrap undone, as numbers that fit 32 bits. Each PSN is placed as near as
 * possible to the highest request before it.
 */
export class Places {
  /** Place of the first request; -1 before it. */
  first = -1;
  #highest = -1;

  request(psn: number): number {
    const at = this.answer(psn);
    if (this.first < 0) this.first = at;
    if (at > this.#highest) this.#highest = at;
    return at;
  }

  /** Place of a packet that answers a request. The highest request stays unchanged. */
  answer(psn: number): number {
    // Starts one wrap ahead, so that the place of a late packet is not negative.
    if (this.#highest < 0) this.#highest = PSN_MODULUS + psn;
    return this.#highest + psnDistance(this.#highest & (PSN_MODULUS - 1), psn);
  }
}
