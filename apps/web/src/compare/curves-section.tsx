'use client';
import type { CurveView } from '@verbslab/labs';
import { LateCurve } from '../parts/results/late-curve';
import { ChartBlock } from './chart-block';

/** The curves of the lab, one chart for each series, with a line for each run. */
export function CurvesSection({ curves }: { curves: readonly CurveView[] }) {
  if (curves.length === 0) return null;
  return (
    <section aria-labelledby="curves">
      <h2 id="curves" className="text-16 font-semibold">
        Curves of the lab
      </h2>
      <p className="mt-1 text-13 text-ink-2">Each chart has one series, and a line for each run.</p>
      <div className="mt-2 grid gap-x-6 gap-y-6 lg:grid-cols-2">
        {curves.map((curve) => (
          <div key={curve.name} data-curve={curve.name}>
            <ChartBlock
              title={curve.label}
              table={{
                shows: 'compare-curve',
                head: curve.table.columns.map(({ label, unit }) =>
                  unit === '' ? label : `${label}, ${unit}`,
                ),
                rows: curve.table.rows,
              }}
            >
              <LateCurve curve={curve} />
            </ChartBlock>
          </div>
        ))}
      </div>
    </section>
  );
}
