import type { TransportFigures } from '../model/figures';

/** Beside a transport while its run goes on: of which rounds its figures are. */
export function SoFar({ figures, rounds }: { figures: TransportFigures; rounds: number }) {
  if (figures.settled) return null;
  const many = rounds > 1;
  return (
    <span className="font-normal text-ink-3">
      {figures.finished > 0 && many
        ? ` ${figures.finished} of ${rounds} rounds`
        : figures.goodputGbps === null
          ? ' not measured yet'
          : many
            ? ' round 1 so far'
            : ' so far'}
    </span>
  );
}
