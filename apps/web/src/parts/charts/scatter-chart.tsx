'use client';
import type { ProviderClass, Transport } from '@verbslab/protocol';
import { axisTicks, tickText } from '@verbslab/charts/data';
import { useMemo } from 'react';
import { sig3 } from '../../format/number';
import { PageLink } from '../../ui/page-link';
import { MARGIN, XAxis, YAxis } from './axes';
import { TRANSPORT_COLOUR } from './colours';
import type { CrosshairRow } from './crosshair';
import { Plot } from './plot';
import { usePlot } from './plot-context';

export interface Dot {
  id: string;
  href: string;
  /** Beside the mark; empty where there are too many. */
  label: string;
  /** Read out, and shown as a tooltip. */
  name: string;
  transport: Transport;
  provider: ProviderClass;
  x: number;
  y: number;
  onFront: boolean;
}

interface ScatterChartProps {
  dots: readonly Dot[];
  /** Dots that no other beats, by x. */
  front: readonly Dot[];
  onOpen: (dot: Dot) => void;
}

const PLACE = { ...MARGIN, right: 28 };
const TITLE = 'Goodput against CPU time. Right and down is better';

/** Goodput to the right, CPU time up, both from zero; the front as a line of steps. */
export function ScatterChart({ dots, front, onOpen }: ScatterChartProps) {
  const [xTicks, yTicks] = [axisTicks(dots.map(({ x }) => x)), axisTicks(dots.map(({ y }) => y))];
  const sorted = useMemo(() => [...dots].sort((a, b) => a.x - b.x || a.y - b.y), [dots]);
  const rows = useMemo(() => sorted.map(({ x, y }, at): CrosshairRow => ({ x, y, at })), [sorted]);
  return (
    <Plot
      label={TITLE}
      margin={PLACE}
      xDomain={[0, xTicks.at(-1)!]}
      yDomain={[0, yTicks.at(-1)!]}
      crosshair={{
        ...{ group: 'scatter', by: 'x', rows, unit: 's/GB' },
        lines: [{ key: 'y', name: 'CPU', colour: 'var(--ink-2)' }],
        title: ({ at, x }: CrosshairRow) => `${sorted[at!]?.name ?? ''} · ${sig3(x)} Gb/s`,
        onOpen: ({ at }: CrosshairRow) => {
          const dot = sorted[at!];
          if (dot) onOpen(dot);
        },
      }}
      over={sorted.map((dot) => (
        <DotLink key={dot.id} dot={dot} />
      ))}
    >
      <YAxis ticks={yTicks} title="CPU, s/GB" />
      <XAxis ticks={xTicks} format={tickText} title="goodput, Gb/s" />
      <Front front={front} />
      {sorted.map((dot) => (
        <Mark key={dot.id} dot={dot} />
      ))}
    </Plot>
  );
}

/** Between two of its points the front is a step: nothing that was measured lies below it. */
function Front({ front }: { front: readonly Dot[] }) {
  const { x, y, area } = usePlot();
  const [first] = front;
  const last = front.at(-1);
  if (!first || !last) return null;
  const steps = front.map((dot, i) => `${i === 0 ? '' : `V${y(dot.y)}`}H${x(dot.x)}`).join('');
  const right = x(last.x) > area.x + 110;
  return (
    <g data-front>
      <path
        d={`M${area.x} ${y(first.y)}${steps}V${area.y}`}
        fill="none"
        stroke="var(--ink-2)"
        strokeDasharray="3 3"
      />
      <text
        x={x(last.x) + (right ? -8 : 8)}
        y={area.y + 12}
        textAnchor={right ? 'end' : 'start'}
        style={{ fill: 'var(--ink-2)' }}
      >
        Pareto front
      </text>
    </g>
  );
}

/** The shape is the provider class: square hardware, triangle kernel, circle user space, diamond simulated, cross unknown. */
export function ProviderShape(props: {
  provider: ProviderClass;
  x: number;
  y: number;
  fill: string;
  hollow?: boolean;
}) {
  const { provider, x, y, fill, hollow = false } = props;
  const look = { fill: hollow ? 'var(--panel)' : fill, stroke: fill, strokeWidth: 1.5 };
  switch (provider) {
    case 'hardware':
      return <rect x={x - 4.5} y={y - 4.5} width={9} height={9} {...look} />;
    case 'kernel':
      return <path d={`M${x} ${y - 6}l5.5 10h-11z`} {...look} />;
    case 'user-space':
      return <circle cx={x} cy={y} r={5} {...look} />;
    case 'simulated':
      return <path d={`M${x} ${y - 6}l6 6l-6 6l-6 -6z`} {...look} />;
    case 'unknown':
      return <path d={`M${x - 4} ${y - 4}l8 8m0 -8l-8 8`} stroke={fill} strokeWidth={2} fill="none" />;
  }
}

function Mark({ dot }: { dot: Dot }) {
  const { x, y, area } = usePlot();
  const { line, ink } = TRANSPORT_COLOUR[dot.transport];
  const [at, height] = [x(dot.x), y(dot.y)];
  const beyond = at + 40 > area.x + area.width;
  return (
    <g data-dot={dot.id} data-front-dot={dot.onFront ? '' : undefined}>
      <ProviderShape provider={dot.provider} x={at} y={height} fill={line} hollow={!dot.onFront} />
      {dot.label === '' ? null : (
        <text
          x={beyond ? at - 9 : at + 9}
          y={height - 6}
          textAnchor={beyond ? 'end' : 'start'}
          style={{ fill: ink, fontWeight: 600 }}
        >
          {dot.label}
        </text>
      )}
    </g>
  );
}

/** A link over the mark, for the pointer. Keys move the crosshair, and Enter opens the run there. */
function DotLink({ dot }: { dot: Dot }) {
  const { x, y } = usePlot();
  return (
    <PageLink
      href={dot.href}
      tabIndex={-1}
      title={dot.name}
      aria-label={dot.name}
      data-dot-link={dot.id}
      className="absolute size-6 -translate-x-1/2 -translate-y-1/2 rounded-full hover:bg-accent-wash/50"
      style={{ left: x(dot.x), top: y(dot.y) }}
    />
  );
}
