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

/** Width of a character of the charts' type, and of the piece of line before a figure. */
const CHARACTER = 7.3;
const SAMPLE = 22;
const KEY_ROW = 14;

/**
 * Percentiles as vertical lines of different dash; name and figure of each stand in the upper corner away from the
 * median. Beside their lines the words would lie on each other and on the curve as soon as the lines are close.
 */
export function Percentiles({ marks, ink }: { marks: readonly (readonly [string, number])[]; ink: string }) {
  const x = useXAxisScale();
  const plot = usePlotArea();
  if (!plot) return null;
  const placed = marks.flatMap(([name, ns], row) => {
    const px = at(x, ns);
    return px === null ? [] : [{ name, words: `${name} ${text(time(ns))}`, dash: DASH[row], px }];
  });
  const first = placed[0];
  if (!first) return null;
  const width = SAMPLE + 6 + CHARACTER * Math.max(...placed.map((p) => p.words.length));
  const onLeft = first.px > plot.x + plot.width / 2;
  const left = onLeft ? plot.x + 4 : plot.x + plot.width - width - 4;
  return (
    <>
      {placed.map(({ name, px, dash }) => (
        <path
          key={name}
          d={`M${px} ${plot.y}V${plot.y + plot.height}`}
          stroke={ink}
          strokeWidth={1.5}
          strokeDasharray={dash}
        />
      ))}
      <rect
        x={left}
        y={plot.y}
        width={width}
        height={placed.length * KEY_ROW + 2}
        fill="var(--panel)"
        fillOpacity={0.85}
      />
      {placed.map(({ name, words, dash }, row) => (
        <g key={name}>
          <path
            d={`M${left} ${plot.y + 8 + row * KEY_ROW}h${SAMPLE}`}
            stroke={ink}
            strokeWidth={1.5}
            strokeDasharray={dash}
          />
          <text x={left + SAMPLE + 6} y={plot.y + 12 + row * KEY_ROW} style={{ fill: ink }}>
            {words}
          </text>
        </g>
      ))}
    </>
  );
}
