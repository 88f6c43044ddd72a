import type { RunRow } from '@verbslab/protocol';
import type { TransportFigures } from '../model/figures';
import { coverage } from '../parts/run/transport-figures';

/** How much of a run its figures cover, if it did not end as planned. */
export function PartialFigures({ list, run }: { list: readonly TransportFigures[]; run: RunRow }) {
  if (!list.some(({ partial, goodputGbps }) => partial && goodputGbps !== null)) return null;
  return (
    <p className="mt-1 text-12 text-ink-3" data-partial>
      Partial figures: they cover the run {coverage(run)}.
    </p>
  );
}
