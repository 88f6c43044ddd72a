/** Which packets a receiver takes: RC in order of PSN, UC message by message, and none that it refuses. */
import type { Draft } from './recorded-packets';
import type { Side } from './state';

/** True if the receiver answered this very packet with a NAK. */
function isRefused(drafts: readonly Draft[], one: Draft): boolean {
  return drafts.some(
    (answer) =>
      answer.side !== one.side &&
      (answer.nak === 'rnr' || (answer.nak === 'nak' && answer.refusal !== 'psn sequence error')) &&
      answer.psn === one.psn &&
      answer.from >= one.to &&
      !drafts.some(
        (again) =>
          again !== one &&
          again.side === one.side &&
          again.psn === one.psn &&
          again.to > one.to &&
          again.to <= answer.from,
      ),
  );
}

function acceptRequests(drafts: readonly Draft[], side: Side): void {
  const requests = drafts
    .filter((one) => one.side === side && one.asks && one.psn !== null)
    .sort((a, b) => a.to - b.to);
  let expected: number | null = null;
  /** On UC: a packet of the message was lost. */
  let broken = false;
  for (const one of drafts) if (one.side === side && one.asks && one.psn !== null) expected ??= one.psn;
  // What an RC peer received it acknowledges. If nothing came back, nothing says that it received anything.
  const silent = !drafts.some((one) => one.side !== side);
  for (const one of requests) {
    const psn = one.psn!;
    if (silent && one.transport === 'RC') continue;
    if (one.lost || isRefused(drafts, one)) continue;
    if (one.transport === 'UD') one.taken = true;
    else if (one.transport === 'UC') {
      broken = one.first ? false : broken || psn !== expected;
      one.taken = !broken;
      expected = psn + 1;
    } else if (psn === expected) {
      one.taken = true;
      expected = psn + one.psns;
    }
  }
}

/** Sets `taken` of all packets. */
export function acceptPackets(drafts: readonly Draft[]): void {
  acceptRequests(drafts, 'client');
  acceptRequests(drafts, 'server');
  const seen = new Set<string>();
  for (const one of drafts) {
    if (one.asks) continue;
    const key = `${one.side} ${one.psn}`;
    const response = one.nak === null && one.psn !== null;
    one.taken = !one.lost && (!response || !seen.has(key));
    if (response && one.taken) seen.add(key);
  }
  // Messages of the connection manager have no PSN to keep order by.
  for (const one of drafts) if (one.psn === null) one.taken = !one.lost;
}
