import type { LineLook } from '@verbslab/charts';
import { PERCENTILE_NAME, samplesNeeded } from '@verbslab/protocol';
import { countedOf, percentileMarks, type LatencyCurve } from '@verbslab/charts/data';
import { count, text, time } from '../../format/number';

const SAMPLE = 16;

/** Above a histogram: what it counts, and its percentiles with their lines. In the plot the words would lie on the curve. */
export function LatencyKey({ curve, look }: { curve: LatencyCurve; look: LineLook }) {
  const { name, line, ink } = look;
  const { transport } = curve;
  return (
    <div
      className="num flex flex-wrap gap-x-3 pr-2 pl-7 text-12 leading-4 @max-md:gap-x-2 @max-md:pr-0 @max-md:pl-2"
      style={{ color: ink }}
    >
      <span className="mr-auto" data-shows="chart-samples" data-transport={transport}>
        {`% of ${countedOf(transport, name)} (n = ${count(curve.total)})`}
      </span>
      {percentileMarks(curve).map(({ which, ns, dash }) => (
        <span key={which} className="inline-flex items-center gap-1 whitespace-nowrap">
          {ns === null ? null : (
            <svg width={SAMPLE} height={2} aria-hidden>
              <path d={`M0 1H${SAMPLE}`} stroke={line} strokeWidth={1.5} strokeDasharray={dash} />
            </svg>
          )}
          <span data-shows={`chart-${which}`} data-transport={transport}>
            {ns === null
              ? `${PERCENTILE_NAME[which]} needs n ≥ ${count(samplesNeeded(which))}`
              : `${PERCENTILE_NAME[which]} ${text(time(ns))}`}
          </span>
        </span>
      ))}
    </div>
  );
}
