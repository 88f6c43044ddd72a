import { PSN_MODULUS, psnDistance } from '../../models/psn.js';

/**
 * PSNs of one requester with the 24-bit wrap undone, as numbers that fit 32 bits: each is taken as near as possible to
 * the highest request before it.
 */
export class Places {
  /** Of the first request; -1 before it. */
  first = -1;
  #highest = -1;

  request(psn: number): number {
    const at = this.answer(psn);
    if (this.first < 0) this.first = at;
    if (at > this.#highest) this.#highest = at;
    return at;
  }

  /** Of what answers a request. It leaves the highest request where it is. */
  answer(psn: number): number {
    // One round ahead, so that what comes late is not below zero.
    if (this.#highest < 0) this.#highest = PSN_MODULUS + psn;
    return this.#highest + psnDistance(this.#highest & (PSN_MODULUS - 1), psn);
  }
}
