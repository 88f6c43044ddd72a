'use client';
import { useId } from 'react';
import { usePlotArea, useXAxisScale, useYAxisScale } from 'recharts';
import { PERCENTILE_NAME, samplesNeeded, type Percentile, type Transport } from '@verbslab/protocol';
import { count, text, time } from '../../format/number';
import type { RunView } from '../../connection/run-view';
import type { Topic } from '../model/run-model';
import { seriesView, type Hole } from '../model/series-view';
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

/** Warm-up, shaded from top to bottom; the word stands in it where there is room. */
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
            warm-up
          </text>
        ) : null}
      </g>
    );
  });
}

/** Samples that took much longer than the others: a hatched bar as long as the sample, with its mean as a line. */
export function Holes({ holes, value }: { holes: readonly Hole[]; value: (hole: Hole) => number }) {
  const pattern = useId();
  const x = useXAxisScale();
  const y = useYAxisScale();
  const plot = usePlotArea();
  if (!plot || holes.length === 0) return null;
  return (
    <>
      <pattern id={pattern} width={8} height={8} patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
        <path d="M0 4H8" stroke="var(--line-strong)" strokeWidth={1.5} strokeOpacity={0.6} />
      </pattern>
      {holes.map((hole) => {
        const from = at(x, hole.from);
        const to = at(x, hole.to);
        const mean = at(y, value(hole));
        if (from === null || to === null) return null;
        const words = `one sample of ${text(time((hole.to - hole.from) * 1e9))}`;
        return (
          <g key={`${hole.transport} ${hole.from}`} data-hole={hole.transport}>
            <title>{words}</title>
            <rect
              x={from}
              y={plot.y}
              width={Math.max(1, to - from)}
              height={plot.height}
              fill={`url(#${pattern})`}
              stroke="var(--line-strong)"
            />
            {mean === null ? null : (
              <path
                d={`M${from} ${mean}H${to}`}
                stroke={TRANSPORT_COLOUR[hole.transport].line}
                strokeWidth={2}
              />
            )}
            {to - from > CHARACTER * words.length + 8 ? (
              <text
                x={(from + to) / 2}
                y={plot.y + 28}
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
  const x = useXAxisScale();
  const left = at(x, from);
  const right = at(x, to);
  const plot = usePlotArea();
  if (left === null || right === null || !plot) return null;
  // Of a round too short for its name the neighbors' names tell.
  if (right - left < CHARACTER * TRANSPORT_COLOUR[transport].name.length) return null;
  return (
    <text
      x={(left + right) / 2}
      y={plot.y - 8}
      textAnchor="middle"
      style={{ fill: TRANSPORT_COLOUR[transport].ink, fontWeight: 600 }}
    >
      {TRANSPORT_COLOUR[transport].name}
    </text>
  );
}

/** What the y axis counts, above it. */
export function PlotTitle({ words, ink }: { words: string; ink: string }) {
  const plot = usePlotArea();
  if (!plot) return null;
  return (
    <text x={plot.x - TITLE_LEFT} y={plot.y - 10} style={{ fill: ink }}>
      {words}
    </text>
  );
}

/** Where titles of y axes begin, left of the plot. */
const TITLE_LEFT = 22;

const DASH = ['', '4 2', '1 2'];

/** Width of a character of the charts' type, and of the piece of line before a figure. */
const CHARACTER = 7.3;
const SAMPLE = 22;
const KEY_ROW = 14;

/**
 * Percentiles as vertical lines of different dash; name and figure of each stand in the upper corner away from the
 * median. Beside their lines the words would lie on each other and on the curve as soon as the lines are close.
 */
export function Percentiles(props: {
  marks: readonly (readonly [Percentile, number | null])[];
  ink: string;
}) {
  const { marks, ink } = props;
  const x = useXAxisScale();
  const plot = usePlotArea();
  if (!plot) return null;
  const placed = marks.map(([which, ns], row) => {
    const name = PERCENTILE_NAME[which];
    // A withheld percentile has words, and no line.
    const words =
      ns === null ? `${name} needs n ≥ ${count(samplesNeeded(which))}` : `${name} ${text(time(ns))}`;
    return { name, words, dash: DASH[row], px: ns === null ? null : at(x, ns) };
  });
  const width = SAMPLE + 6 + CHARACTER * Math.max(...placed.map((p) => p.words.length));
  const first = placed[0]?.px ?? null;
  const onLeft = first !== null && first > plot.x + plot.width / 2;
  const left = onLeft ? plot.x + 4 : plot.x + plot.width - width - 4;
  return (
    <>
      {placed.map(({ name, px, dash }) =>
        px === null ? null : (
          <path
            key={name}
            d={`M${px} ${plot.y}V${plot.y + plot.height}`}
            stroke={ink}
            strokeWidth={1.5}
            strokeDasharray={dash}
          />
        ),
      )}
      <rect
        x={left}
        y={plot.y}
        width={width}
        height={placed.length * KEY_ROW + 2}
        fill="var(--panel)"
        fillOpacity={0.85}
      />
      {placed.map(({ name, words, dash, px }, row) => (
        <g key={name}>
          {px === null ? null : (
            <path
              d={`M${left} ${plot.y + 8 + row * KEY_ROW}h${SAMPLE}`}
              stroke={ink}
              strokeWidth={1.5}
              strokeDasharray={dash}
            />
          )}
          <text x={left + SAMPLE + 6} y={plot.y + 12 + row * KEY_ROW} style={{ fill: ink }}>
            {words}
          </text>
        </g>
      ))}
    </>
  );
}
