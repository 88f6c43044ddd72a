// The phases of a run, from the pairs of their events.
import type { Claim } from './claim.js';
import { itemsOf, type RunExport } from './export.js';

/** Texts of all phases around a time, in ns of the run. `slack`: uncertainty of the time, ns. */
export function phasesAt(data: RunExport, t: number, slack: number): string[] {
  const events = itemsOf(data, 'phase');
  return events.flatMap((begin) => {
    if (begin.phase !== 'begin' || begin.t > t + slack) return [];
    const end = events.find(
      (one) =>
        one.phase === 'end' &&
        one.id === begin.id &&
        one.transport === begin.transport &&
        one.seq > begin.seq,
    );
    return (end?.t ?? Infinity) >= t - slack ? [begin.text] : [];
  });
}

/** Checks that a statement names a phase at its time, which has ms precision; no phase only outside of all. */
export function phaseHolds(claim: Claim, data: RunExport, t: number, shown: string | undefined): void {
  const sure = phasesAt(data, t, -1e6);
  const possible = phasesAt(data, t, 1e6);
  claim.holds(
    shown === undefined ? sure.length === 0 : possible.includes(shown),
    'the phase events',
    possible.join(', ') || 'none',
  );
}
