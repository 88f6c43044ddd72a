'use client';
import { useId } from 'react';
import type { Transport } from '@verbslab/protocol';
import type { Domain, Hole, PercentileMark, StartUp } from '@verbslab/charts/data';
import { text, time } from '../../format/number';
import { useTransportColour, useTransportName } from './transport-names';
import { CHARACTER, MARGIN } from './axes';
import { usePlot } from './plot-context';

/** What stands in a chart besides its axes and curves. */

/** A rim in the colour of the ground keeps words readable where a line passes. */
const RIM = { stroke: 'var(--panel)', strokeWidth: 4, paintOrder: 'stroke' } as const;

/** Warm-up, shaded from top to bottom; the word stands in it where there is room. */
export function StartUps({ list, domain }: { list: readonly StartUp[]; domain: Domain }) {
  const { x, area } = usePlot();
  return list.map((s, i) => {
    const from = x(Math.max(domain[0], s.from));
    const to = x(Math.min(domain[1], s.to));
    if (to <= from) return null;
    return (
      <g key={i}>
        <rect x={from} y={area.y} width={to - from} height={area.height} fill="var(--startup)" />
        {to - from > 60 ? (
          <text x={(from + to) / 2} y={area.y + 12} textAnchor="middle">
            warm-up
          </text>
        ) : null}
      </g>
    );
  });
}

/** Dims what is drawn over a warm-up: it is in no figure. */
export function StartUpVeils({ list, domain }: { list: readonly StartUp[]; domain: Domain }) {
  const { x, area } = usePlot();
  return list.map((s, i) => {
    const from = x(Math.max(domain[0], s.from));
    const to = x(Math.min(domain[1], s.to));
    return to <= from ? null : (
      <rect
        key={i}
        x={from}
        y={area.y}
        width={to - from}
        height={area.height}
        fill="var(--startup)"
        fillOpacity={0.7}
      />
    );
  });
}

/** Samples that took much longer than the others: a hatched bar as long as the sample, with its mean as a line. */
export function Holes({ holes, value }: { holes: readonly Hole[]; value: (hole: Hole) => number }) {
  const pattern = useId();
  const { x, y, area } = usePlot();
  const colourOf = useTransportColour();
  if (holes.length === 0) return null;
  return (
    <>
      <pattern id={pattern} width={8} height={8} patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
        <path d="M0 4H8" stroke="var(--line-strong)" strokeWidth={1.5} strokeOpacity={0.6} />
      </pattern>
      {holes.map((hole) => {
        const [from, to, mean] = [x(hole.from), x(hole.to), value(hole)];
        const words = `one sample of ${text(time((hole.to - hole.from) * 1e9))}`;
        return (
          <g key={`${hole.transport} ${hole.from}`} data-hole={hole.transport}>
            <title>{words}</title>
            <rect
              x={from}
              y={area.y}
              width={Math.max(1, to - from)}
              height={area.height}
              fill={`url(#${pattern})`}
              stroke="var(--line-strong)"
            />
            {Number.isFinite(mean) ? (
              <path d={`M${from} ${y(mean)}H${to}`} stroke={colourOf(hole.transport).line} strokeWidth={2} />
            ) : null}
            {to - from > CHARACTER * words.length + 8 ? (
              <text
                x={(from + to) / 2}
                y={area.y + 28}
                textAnchor="middle"
                style={{ fill: 'var(--ink)', ...RIM }}
              >
                {words}
              </text>
            ) : null}
          </g>
        );
      })}
    </>
  );
}

/** A line's name: beside its end, or above it where there is no room beside it. */
export function LineName({ transport, x, y }: { transport: Transport; x: number; y: number }) {
  const plot = usePlot();
  const name = useTransportName()(transport);
  const { ink } = useTransportColour()(transport);
  const beside = plot.x(x) + 6;
  const edge = plot.area.x + plot.area.width + MARGIN.right;
  const fits = beside + CHARACTER * name.length <= edge;
  return (
    <text
      x={fits ? beside : edge - 4}
      y={fits ? plot.y(y) + 4 : Math.max(12, plot.y(y) - 8)}
      textAnchor={fits ? 'start' : 'end'}
      style={{ fill: ink, fontWeight: 600, ...RIM }}
    >
      {name}
    </text>
  );
}

interface Stretch {
  transport: Transport;
  from: number;
  to: number;
}

/** Narrower than this, a stretch has no room for a name that stands upright. */
const UPRIGHT = 14;

/**
 * Transports' names above the stretches in which they ran. One that has no room above any of its stretches stands upright
 * in the first of them.
 */
export function StretchNames({ list }: { list: readonly Stretch[] }) {
  const { x, area } = usePlot();
  const nameOf = useTransportName();
  const colourOf = useTransportColour();
  const placed = list.map(({ transport, from, to }) => {
    const [left, right, name] = [x(from), x(to), nameOf(transport)];
    return { transport, from, name, middle: (left + right) / 2, width: right - left };
  });
  const fits = ({ name, width }: (typeof placed)[number]): boolean => width >= CHARACTER * name.length;
  const named = new Set(placed.filter(fits).map(({ transport }) => transport));
  return placed.map((stretch) => {
    const { transport, from, name, middle, width } = stretch;
    const style = { fill: colourOf(transport).ink, fontWeight: 600 };
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
  });
}

/** Percentiles as vertical lines; their names and figures stand above the chart. */
export function PercentileLines({ marks, ink }: { marks: readonly PercentileMark[]; ink: string }) {
  const { x, area } = usePlot();
  return marks.map(({ which, ns, dash }) =>
    ns === null ? null : (
      <path
        key={which}
        d={`M${x(ns)} ${area.y}V${area.y + area.height}`}
        stroke={ink}
        strokeWidth={1.5}
        strokeDasharray={dash}
      />
    ),
  );
}
