'use client';
import { usePlotArea, useXAxisScale, useYAxisScale } from 'recharts';
import type { Transport } from '@verbslab/protocol';
import { text, time } from '../../format/number';
import type { RunView } from '../../connection/run-view';
import type { Topic } from '../model/run-model';
import { seriesView } from '../model/series-view';
import { useTopics } from '../use-session';
import { TRANSPORT_COLOUR } from './colours';

/**
 * What stands in a chart besides its data, drawn as plain SVG on the chart's own scales. (The library's reference
 * elements register themselves with the chart and make it lay itself out again whenever they move.)
 */

const SERIES: readonly Topic[] = ['series'];

/** A rim in the colour of the ground keeps words readable where a line passes. */
const RIM = { stroke: 'var(--panel)', strokeWidth: 4, paintOrder: 'stroke' } as const;

const at = (scale: ReturnType<typeof useXAxisScale>, v: number): number | null => {
  const p = scale?.(v);
  return p === undefined || Number.isNaN(p) ? null : p;
};

/** Start-up, shaded from top to bottom; the word stands in it where there is room. */
export function StartUps({ view, domain }: { view: RunView; domain: readonly [number, number] }) {
  useTopics(view, SERIES, 'curve');
  const list = seriesView(view.model).startUps;
  const x = useXAxisScale();
  const plot = usePlotArea();
  if (!plot) return null;
  return list.map((s, i) => {
    const from = at(x, Math.max(domain[0], s.from));
    const to = at(x, Math.min(domain[1], s.to));
    if (from === null || to === null || to <= from) return null;
    return (
      <g key={i}>
        <rect x={from} y={plot.y} width={to - from} height={plot.height} fill="var(--startup)" />
        {to - from > 60 ? (
          <text x={(from + to) / 2} y={plot.y + 12} textAnchor="middle">
            start-up
          </text>
        ) : null}
      </g>
    );
  });
}

/** A line's name at its end. */
export function LineName({ transport, x, y }: { transport: Transport; x: number; y: number }) {
  const px = at(useXAxisScale(), x);
  const py = at(useYAxisScale(), y);
  if (px === null || py === null) return null;
  return (
    <text x={px + 6} y={py + 4} style={{ fill: TRANSPORT_COLOUR[transport].ink, fontWeight: 600, ...RIM }}>
      {TRANSPORT_COLOUR[transport].name}
    </text>
  );
}

/** A transport's name above the stretch in which it ran. */
export function StretchName({ transport, from, to }: { transport: Transport; from: number; to: number }) {
  const px = at(useXAxisScale(), (from + to) / 2);
  const plot = usePlotArea();
  if (px === null || !plot) return null;
  return (
    <text
      x={px}
      y={plot.y - 8}
      textAnchor="middle"
      style={{ fill: TRANSPORT_COLOUR[transport].ink, fontWeight: 600 }}
    >
      {TRANSPORT_COLOUR[transport].name}
    </text>
  );
}

const DASH = ['', '4 2', '1 2'];

/** Percentiles as vertical lines with name and figure; beyond two thirds of the axis the words stand on the left. */
export function Percentiles({ marks, ink }: { marks: readonly (readonly [string, number])[]; ink: string }) {
  const x = useXAxisScale();
  const plot = usePlotArea();
  if (!plot) return null;
  return marks.map(([name, ns], i) => {
    const px = at(x, ns);
    if (px === null) return null;
    const left = px > plot.x + plot.width * 0.66;
    return (
      <g key={name}>
        <path d={`M${px} ${plot.y}V${plot.y + plot.height}`} stroke={ink} strokeDasharray={DASH[i]} />
        <text
          x={px + (left ? -4 : 4)}
          y={plot.y + 10 + i * 14}
          textAnchor={left ? 'end' : 'start'}
          style={{ fill: ink, ...RIM }}
        >
          {name} {text(time(ns))}
        </text>
      </g>
    );
  });
}
