import type { ClockOffset } from '@verbslab/protocol';

/** Times of an answer on the other side’s CLOCK_MONOTONIC, ns. */
export interface ClockAnswer {
  received: bigint;
  sent: bigint;
}

/** An exchange: t0 and t3 on this side’s clock, the answer’s two times between them on the other side’s. */
export interface Exchange extends ClockAnswer {
  asked: bigint;
  answered: bigint;
}

/**
 * Returns the offset from the exchange with the shortest round trip, like NTP’s clock filter (RFC 5905, 8 and 10). The
 * true offset is within half of that round trip, however long each way took, without the other side’s own time.
 */
export function offsetFrom(exchanges: readonly Exchange[], measuredAt: number): ClockOffset | null {
  let best: ClockOffset | null = null;
  for (const { asked, received, sent, answered } of exchanges) {
    const rttNs = Number(answered - asked - (sent - received));
    // The clock went backwards, or the answer belongs to another exchange.
    if (rttNs < 0 || sent < received) continue;
    if (best && rttNs >= best.rttNs) continue;
    best = {
      offsetNs: Number(received - asked + (sent - answered)) / 2,
      errorNs: rttNs / 2,
      rttNs,
      rounds: exchanges.length,
      measuredAt,
    };
  }
  return best;
}

/**
 * Asks `rounds` times, one after the other, but not after `budgetMs`: the exchanges so far suffice for the offset.
 * Rejects with the error of `ask`.
 */
export async function measureClock(
  ask: () => Promise<ClockAnswer>,
  rounds: number,
  budgetMs = Infinity,
): Promise<ClockOffset | null> {
  const exchanges: Exchange[] = [];
  const begin = performance.now();
  for (let round = 0; round < rounds; round++) {
    if (round > 0 && performance.now() - begin > budgetMs) break;
    const asked = process.hrtime.bigint();
    const answer = await ask();
    exchanges.push({ asked, answered: process.hrtime.bigint(), ...answer });
  }
  return offsetFrom(exchanges, Date.now());
}
