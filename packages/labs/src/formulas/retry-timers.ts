import { RNR_TIMER_US } from '@verbslab/roce';
import { formatNumber } from '../base/format.js';

/** Milliseconds of one ACK timeout: 4.096 µs × 2^timeout. */
export const timeoutMs = (timeout: number): number => 0.004096 * 2 ** timeout;

/** The least time until status 12: the first try and each further one wait one timeout. */
export const leastAckMs = (timeout: number, retries: number): number => timeoutMs(timeout) * (retries + 1);

/** The least time until status 13: a wait before each further try, none after the last. */
export const leastRnrMs = (timer: number, retries: number): number =>
  ((RNR_TIMER_US[timer] ?? 0) / 1000) * retries;

/** Factor by which a wait may exceed the attribute's time: IBA 9.7.6.1.3. */
const MOST = 4;

/** Attributes whose measured time the timers cannot explain, and the longest such excess in milliseconds. */
export function beyondTimers(lines: readonly { x: number; least: number; measured: number | null }[]): {
  at: number[];
  excessMs: number;
} {
  const beyond = lines.flatMap(({ x, least, measured }) =>
    measured !== null && measured > MOST * least ? [{ x, excess: measured - MOST * least }] : [],
  );
  return { at: beyond.map(({ x }) => x), excessMs: Math.max(0, ...beyond.map(({ excess }) => excess)) };
}

/** Sentence of the answer about ratios above four; empty without any. */
export function beyondText({ at, excessMs }: ReturnType<typeof beyondTimers>): string {
  if (at.length === 0) return '';
  const where = at.length === 1 ? `timeout ${at[0]}` : `timeouts ${at.join(', ')}`;
  return `At ${where} the ratio is above ${MOST}, which the attribute does not explain: up to ${formatNumber(excessMs)} ms may have gone to a shortest wait of the device, to polling, to waking its thread, or to waiting for a CPU.`;
}

/** The timeouts to measure. */
export const timeouts = (largest: number): number[] =>
  Array.from({ length: Math.floor((largest - 4) / 2) + 1 }, (_, i) => 4 + 2 * i);

export const RNR_RETRIES = [0, 1, 2, 3, 4, 5, 6];
