import { ZIndexLayer } from 'recharts';
import type { StartUp } from '../data/series-view.js';
import { LAYERS } from '../plot/layers.js';
import { usePlot } from '../plot/plot-context.js';
import { Band } from './band.js';

/** Least pixels of a warm-up with room for the word. */
const ROOM = 60;

/**
 * Warm-ups, shaded from top to bottom and dimmed: no figure includes them. The word "warm-up" appears where there is
 * room.
 */
export function StartUps({ list }: { list: readonly Omit<StartUp, 'transport'>[] }) {
  const { x, area, xAxis } = usePlot();
  const [first, last] = xAxis.domain;
  return list.map((one, i) => {
    const [from, to] = [Math.max(first, one.from), Math.min(last, one.to)];
    if (to <= from) return null;
    return (
      <g key={i}>
        {(['ground', 'veils'] as const).map((layer) => (
          <Band
            key={layer}
            {...{ from, to }}
            zIndex={LAYERS[layer]}
            fill="var(--startup)"
            fillOpacity={layer === 'ground' ? 1 : 0.7}
            data-start-up={layer}
          />
        ))}
        {x(to) - x(from) > ROOM ? (
          <ZIndexLayer zIndex={LAYERS.names}>
            <text x={(x(from) + x(to)) / 2} y={area.y + 12} textAnchor="middle">
              warm-up
            </text>
          </ZIndexLayer>
        ) : null}
      </g>
    );
  });
}
