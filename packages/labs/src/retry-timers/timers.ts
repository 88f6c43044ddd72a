import { RNR_TIMER_US } from '@verbslab/roce';

/** Milliseconds of one ACK timeout: 4.096 µs × 2^timeout. */
export const timeoutMs = (timeout: number): number => 0.004096 * 2 ** timeout;

/** The least time until status 12: the first try and each further one wait one timeout. */
export const leastAckMs = (timeout: number, retries: number): number => timeoutMs(timeout) * (retries + 1);

/** The least time until status 13: a wait before each further try, none after the last. */
export const leastRnrMs = (timer: number, retries: number): number =>
  ((RNR_TIMER_US[timer] ?? 0) / 1000) * retries;

/** The timeouts to measure. */
export const timeouts = (largest: number): number[] =>
  Array.from({ length: Math.floor((largest - 4) / 2) + 1 }, (_, i) => 4 + 2 * i);

export const RNR_RETRIES = [0, 1, 2, 3, 4, 5, 6];
