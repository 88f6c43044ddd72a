'use client';
import { RatesChart } from '@verbslab/charts';
import { steadyDomain } from '@verbslab/charts/data';
import { useMemo } from 'react';
import type { PolicyPlot, PolicyRow } from '../../model/policy-rows';
import { Crosshair } from '../../parts/charts/crosshair';
import { ChartFrame } from '../../parts/charts/frame';
import { OVER_TIME } from '../../parts/charts/over-time';

const MARGIN = { top: 24, right: 16, bottom: 34, left: 48 };

/** A figure of a queue pair's law over time. `end`: ns. */
export function PolicyChart({
  name,
  plot: { title, unit, lines },
  rows,
  end,
  live,
}: {
  name: string;
  plot: PolicyPlot;
  rows: readonly PolicyRow[];
  end: number;
  live: boolean;
}) {
  const top = rows.reduce((most, row) => Math.max(most, ...lines.map(({ key }) => row[key] ?? 0)), 0);
  const [from, to] = steadyDomain([0, end / 1e9], live);
  const domain = useMemo(() => [from, to] as const, [from, to]);
  return (
    <section
      className="flex min-w-0 flex-col max-lg:h-40 lg:min-h-32 lg:flex-1"
      aria-label={`${title} of ${name}`}
    >
      <h4 className="flex flex-wrap items-baseline gap-x-3 text-12 text-ink-2" data-words>
        {title}
        {lines.length > 1
          ? lines.map((line) => (
              <span key={line.key} className="inline-flex items-center gap-1 text-ink-3">
                <svg width="18" height="6" aria-hidden>
                  <path d="M0 3H18" stroke={line.color} strokeWidth="1.5" strokeDasharray={line.dash} />
                </svg>
                {line.name}
              </span>
            ))
          : null}
      </h4>
      <div className="chart min-h-0 flex-1">
        <ChartFrame>
          {(size) => (
            <RatesChart
              {...size}
              {...{ rows, domain, unit }}
              top={top === 0 ? 1 : top}
              label={`${title} of ${name} over time`}
              time="s"
              lines={lines.map(({ key, color, dash }) => ({ key, line: color, dash }))}
              margin={MARGIN}
              over={<Crosshair {...OVER_TIME} rows={rows} by="t" lines={lines} unit={unit} />}
            />
          )}
        </ChartFrame>
      </div>
    </section>
  );
}
