import type { Spread } from '@verbslab/protocol';
import { inGbps, sig3 } from '../format/number';
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
  const text = shows === 'goodput' ? inGbps : sig3;
  return (
    <>
      {text(value)}
      {f.rounds > 1 && spread ? (
        <span
          className="block text-12 leading-3.5 whitespace-nowrap text-ink-3"
          data-shows={`${shows}-spread`}
        >
          {text(spread.min)}–{text(spread.max)}
        </span>
      ) : null}
    </>
  );
}
