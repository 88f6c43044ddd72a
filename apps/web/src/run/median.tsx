import type { Spread } from '@verbslab/protocol';
import { sig3 } from '../format/number';
import type { TransportFigures } from '../model/figures';

/** A median over the rounds, and below it the smallest and the largest. */
export function Median(props: {
  /** The name by which the audit knows the figure. */
  shows: string;
  value: number | null | undefined;
  figures: TransportFigures;
  spread: Spread | null | undefined;
}) {
  const { shows, value, figures: f, spread } = props;
  return (
    <>
      {sig3(value)}
      {f.rounds > 1 && spread ? (
        <span
          className="block text-12 leading-3.5 whitespace-nowrap text-ink-3"
          data-shows={`${shows}-spread`}
        >
          {sig3(spread.min)}–{sig3(spread.max)}
        </span>
      ) : null}
    </>
  );
}
