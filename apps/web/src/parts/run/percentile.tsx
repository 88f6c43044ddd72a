import { NOT_ENOUGH_SAMPLES, whyWithheld, type LatencyUs, type Percentile } from '@verbslab/protocol';
import { sig3 } from '../../format/number';
import { Explained } from '../../ui/explained';

/** A percentile in µs. A withheld one says so, and on hover how many samples it needs. */
export function PercentileFigure({ latency, which }: { latency: LatencyUs | null; which: Percentile }) {
  const value = latency?.[which] ?? null;
  if (value !== null || latency?.n === undefined) return sig3(value);
  return (
    <Explained meaning={whyWithheld(which, latency.n)}>
      <span className="inline-block text-right font-sans text-12 leading-3.5 text-ink-3">
        {NOT_ENOUGH_SAMPLES}
      </span>
    </Explained>
  );
}
