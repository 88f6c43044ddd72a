/** Names of lines in a chart, in place of a legend. */
import type { Transport } from '@verbslab/protocol';
import { ZIndexLayer } from 'recharts';
import { movedApart } from '../data/label-places.js';
import { CHARACTER } from '../plot/axes.js';
import { LAYERS } from '../plot/layers.js';
import { usePlot } from '../plot/plot-context.js';
import { RIM, type LineLook } from './look.js';

/** The name of a line, and the value at which it ends. */
export interface EndName {
  key: string;
  label: string;
  ink: string;
  value: number;
}

/** Room to the right of the plot for the names of lines at their ends. */
export const roomForNames = (names: readonly string[]): number =>
  14 + CHARACTER * Math.max(1, ...names.map(({ length }) => length));

/** Names beside the plot at the height where each line ends, moved apart where the ends are close. */
export function EndNames({ ends }: { ends: readonly EndName[] }) {
  const { y, area } = usePlot();
  const placed = movedApart(
    ends.map((end) => ({ ...end, top: y(end.value) + 4 })),
    { from: area.y + 8, to: area.y + area.height - 2 },
  );
  return (
    <ZIndexLayer zIndex={LAYERS.names}>
      {placed.map(({ key, label, ink, top }) => (
        <text
          key={key}
          data-name={key}
          x={area.x + area.width + 8}
          y={top}
          style={{ fill: ink, fontWeight: 600 }}
        >
          {label}
        </text>
      ))}
    </ZIndexLayer>
  );
}

/** The name of a line, beside its end, or above it if there is no room beside it. */
export function LineName({ look: { name, ink }, t, value }: { look: LineLook; t: number; value: number }) {
  const { x, y, width } = usePlot();
  const beside = x(t) + 6;
  const fits = beside + CHARACTER * name.length <= width;
  return (
    <ZIndexLayer zIndex={LAYERS.names}>
      <text
        x={fits ? beside : width - 4}
        y={fits ? y(value) + 4 : Math.max(12, y(value) - 8)}
        textAnchor={fits ? 'start' : 'end'}
        style={{ fill: ink, fontWeight: 600, ...RIM }}
      >
        {name}
      </text>
    </ZIndexLayer>
  );
}

interface Stretch {
  transport: Transport;
  from: number;
  to: number;
}

/** Least pixels of a stretch with room for a vertical name. */
const UPRIGHT = 14;

interface StretchNamesProps {
  list: readonly Stretch[];
  lookOf: (transport: Transport) => LineLook;
}

/**
 * Names of transports above the stretches in which they ran. A name with no room above any of its stretches is written
 * vertically in the first one.
 */
export function StretchNames({ list, lookOf }: StretchNamesProps) {
  const { x, area } = usePlot();
  const placed = list.map(({ transport, from, to }) => {
    const [left, right] = [x(from), x(to)];
    return { transport, from, ...lookOf(transport), middle: (left + right) / 2, width: right - left };
  });
  const fits = ({ name, width }: (typeof placed)[number]): boolean => width >= CHARACTER * name.length;
  const named = new Set(placed.filter(fits).map(({ transport }) => transport));
  return (
    <ZIndexLayer zIndex={LAYERS.names}>
      {placed.map((stretch) => {
        const { transport, from, name, ink, middle, width } = stretch;
        const style = { fill: ink, fontWeight: 600 };
        if (fits(stretch))
          return (
            <text key={`${transport} ${from}`} x={middle} y={area.y - 8} textAnchor="middle" style={style}>
              {name}
            </text>
          );
        if (named.has(transport) || width < UPRIGHT) return null;
        named.add(transport);
        return (
          <text
            key={`${transport} ${from}`}
            transform={`translate(${middle + 4} ${area.y + 4}) rotate(-90)`}
            textAnchor="end"
            style={{ ...style, ...RIM }}
          >
            {name}
          </text>
        );
      })}
    </ZIndexLayer>
  );
}
