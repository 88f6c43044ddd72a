/** Times of packets that were captured at one end only: between the recorded events before and after them. */
import type { Draft } from './recorded-packets';

/** Index of the next packet of the other side whose time is recorded and not before `t`. */
function answerOf(drafts: readonly Draft[], at: number): Draft | undefined {
  const { side, sent } = drafts[at]!;
  return drafts.slice(at + 1).find((one) => one.side !== side && (one.sent ?? one.arrived ?? -1) >= sent!);
}

/** True if an answer of the other side proves that the packet arrived. */
function isProven(drafts: readonly Draft[], at: number): boolean {
  const one = drafts[at]!;
  const { side, psn, asks } = one;
  return drafts.slice(at + 1).some((later) => {
    if (later.side === side || later.asks || later.lost || later.psn === null || psn === null || !asks)
      return false;
    // A NAK for a gap proves the packets before it.
    const gap = later.nak === 'nak' && later.refusal === 'psn sequence error';
    return gap ? later.psn > psn : later.psn >= psn;
  });
}

/**
 * Sets `from`, `to`, `t` and `proven` of all packets. A time that is not recorded halves the time between the last packet
 * before the answer and the answer. `end`: of the recording. `provenBy`: time of another event that proves an arrival.
 */
export function placeBetween(drafts: Draft[], end: number, provenBy: (one: Draft) => number | null): void {
  drafts.forEach((one, at) => {
    one.t = one.sent ?? one.arrived ?? 0;
    if (one.sent === null) return;
    one.from = one.sent;
    one.proven = one.arrived !== null || (!one.lost && (isProven(drafts, at) || provenBy(one) !== null));
    if (one.arrived !== null) {
      one.to = one.arrived;
      return;
    }
    const answer = answerOf(drafts, at);
    const bound = answer ? (answer.sent ?? answer.arrived!) : (provenBy(one) ?? end);
    const last = drafts.findLast(
      ({ side, sent }) => side === one.side && sent !== null && sent <= bound && sent >= one.sent!,
    )!;
    const whole = Math.max(0, bound - last.sent!);
    // A recorded departure of the answer is the bound itself; an arrival leaves half of the time for the answer.
    one.to = one.sent + (answer && answer.sent === null ? whole / 2 : answer ? whole : whole / 2);
  });
  drafts.forEach((one, at) => {
    if (one.sent !== null) return;
    const arrived = one.arrived ?? 0;
    const before = drafts.slice(0, at).filter(({ side, sent }) => side !== one.side && sent !== null);
    const last = before.reduce((latest, { to }) => Math.max(latest, to), -Infinity);
    const own = drafts.slice(0, at).findLast(({ side, sent }) => side === one.side && sent === null);
    one.to = arrived;
    one.from = Math.min(arrived, Number.isFinite(last) ? last : arrived);
    // Packets that follow each other keep their distance.
    if (own && own.from >= one.from) one.from = Math.min(arrived, own.from + (arrived - own.to));
    one.proven = true;
  });
}
