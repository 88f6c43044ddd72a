import { formatTime, sig3 } from '@verbslab/labs';
import type { Transport } from '@verbslab/protocol';
import { useId } from 'react';
import { ZIndexLayer } from 'recharts';
import type { Hole } from '../data/series-view.js';
import { CHARACTER } from '../plot/axes.js';
import { LAYERS } from '../plot/layers.js';
import { usePlot } from '../plot/plot-context.js';
import { Band } from './band.js';
import { RIM } from './look.js';

interface HolesProps {
  holes: readonly Hole[];
  /** Mean of a hole on the y axis; NaN if it has none. */
  value: (hole: Hole) => number;
  colorOf: (transport: Transport) => string;
}

/** Samples that took much longer than the others: a hatched bar as long as the sample, with its mean as a line. */
export function Holes({ holes, value, colorOf }: HolesProps) {
  const pattern = useId();
  const { x, y, area } = usePlot();
  if (holes.length === 0) return null;
  return (
    <>
      <defs>
        <pattern
          id={pattern}
          width={8}
          height={8}
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(-45)"
        >
          <path d="M0 4H8" stroke="var(--line-strong)" strokeWidth={1.5} strokeOpacity={0.6} />
        </pattern>
      </defs>
      {holes.map((hole) => {
        const { transport, from, to } = hole;
        const mean = value(hole);
        const words = `one sample of ${formatTime((to - from) * 1e9, sig3)}`;
        return (
          <g key={`${transport} ${from}`}>
            <Band
              {...{ from, to }}
              zIndex={LAYERS.areas}
              fill={`url(#${pattern})`}
              stroke="var(--line-strong)"
              data-hole={transport}
            />
            {Number.isFinite(mean) ? (
              <ZIndexLayer zIndex={LAYERS.lines}>
                <line
                  {...{ x1: x(from), y1: y(mean), x2: x(to), y2: y(mean) }}
                  stroke={colorOf(transport)}
                  strokeWidth={2}
                />
              </ZIndexLayer>
            ) : null}
            {x(to) - x(from) > CHARACTER * words.length + 8 ? (
              <ZIndexLayer zIndex={LAYERS.names}>
                <text
                  x={(x(from) + x(to)) / 2}
                  y={area.y + 28}
                  textAnchor="middle"
                  style={{ fill: 'var(--ink)', ...RIM }}
                >
                  {words}
                </text>
              </ZIndexLayer>
            ) : null}
          </g>
        );
      })}
    </>
  );
}
