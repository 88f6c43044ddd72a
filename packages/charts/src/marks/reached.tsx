import { ZIndexLayer } from 'recharts';
import { LINE_HEIGHT, rowsAbove } from '../data/label-places.js';
import { CHARACTER, TITLE_ABOVE, titleRange } from '../plot/axes.js';
import { LAYERS } from '../plot/layers.js';
import { usePlot } from '../plot/plot-context.js';
import type { LineLook } from './look.js';

/** A place on the x axis that one or more series reached. */
export interface Mark {
  /** Names of the series. */
  names: readonly string[];
  x: number;
  label: string;
}

/** Pixels by which a mark's label may extend beyond the end of the x axis. */
const BEYOND = 16;

interface ReachedProps {
  marks: readonly Mark[];
  lookOf: (series: string) => LineLook;
  /** Title of the y axis. It stands in the lowest row of labels. */
  title: string;
}

/** Vertical lines through the chart, with their labels above it. */
export function Reached({ marks, lookOf, title }: ReachedProps) {
  const { x, area } = usePlot();
  const places = rowsAbove(
    marks.map((mark) => ({ at: x(mark.x), width: CHARACTER * mark.label.length })),
    [area.x, area.x + area.width + BEYOND],
    titleRange(area, title),
  );
  return marks.map(({ names, x: at, label }, i) => {
    const { left, row } = places[i]!;
    const [first] = names.map(lookOf);
    return (
      <g key={names.join(' ')}>
        <ZIndexLayer zIndex={LAYERS.lines}>
          {names.map((name, which) => (
            <line
              key={name}
              {...{ x1: x(at), y1: area.y, x2: x(at), y2: area.y + area.height }}
              stroke={lookOf(name).line}
              strokeDasharray={`2 ${6 * names.length - 2}`}
              strokeDashoffset={-6 * which}
              {...(which === 0 ? { 'data-mark': names.join(' ') } : {})}
            />
          ))}
        </ZIndexLayer>
        <ZIndexLayer zIndex={LAYERS.names}>
          <path d={`M${x(at) - 4} ${area.y - 6}h8l-4 6z`} style={{ fill: first?.ink }} />
          <text
            x={left}
            y={area.y - TITLE_ABOVE - row * LINE_HEIGHT}
            style={{ fill: names.length === 1 ? first?.ink : 'var(--ink-2)' }}
          >
            {label}
          </text>
        </ZIndexLayer>
      </g>
    );
  });
}
