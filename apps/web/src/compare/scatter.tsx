'use client';
import { ProviderShape, ScatterChart, usePlot, type Dot } from '@verbslab/charts';
import { paretoFront, scatterPoints, type ScatterPoint } from '@verbslab/labs';
import { PROVIDER_CLASSES, TRANSPORTS, type RunRow } from '@verbslab/protocol';
import { useMemo } from 'react';
import { useActionContext } from '../actions/use-action-context';
import { runHref } from '../addresses';
import { goodput, inGbps, sig3, text } from '../format/number';
import { TRANSPORT_COLOR } from '../parts/charts/colors';
import { Crosshair, type CrosshairRow } from '../parts/charts/crosshair';
import { ChartFrame, MARGIN } from '../parts/charts/frame';
import { PageLink } from '../ui/page-link';
import { PROVIDERS } from '../ui/provider-badge';
import { Term } from '../ui/term';
import { ChartBlock } from './chart-block';

/** Most labels that fit without overlap. */
const MOST_LABELS = 24;

interface ScatterProps {
  records: readonly RunRow[];
  /** Label of a run beside its mark; default: its number. */
  labelOf?: (run: RunRow) => string;
  /** Heading level. */
  level?: 2 | 3;
}

/** A run in the chart, with the address of its page. */
interface Point extends Dot {
  href: string;
  /** Text of the tooltip, also read by screen readers. */
  name: string;
}

const idOf = ({ run, transport }: ScatterPoint): string => `${run.id} ${transport}`;

/** Runs as points of goodput and CPU time, with the Pareto front. */
export function Scatter({ records, labelOf = ({ number }) => String(number), level = 3 }: ScatterProps) {
  const { navigate } = useActionContext();
  const points = useMemo(() => scatterPoints(records), [records]);
  const front = useMemo(() => paretoFront(points), [points]);
  const best = new Set(front.map(idOf));
  const dotOf = (point: ScatterPoint): Point => ({
    id: idOf(point),
    href: runHref(point.run.id),
    label: points.length > MOST_LABELS && !best.has(idOf(point)) ? '' : labelOf(point.run),
    name: `Run ${point.run.number}, ${point.name}: ${text(goodput(point.goodputGbps))}, ${sig3(point.cpuSecondsPerGB)} s/GB`,
    ...{ look: TRANSPORT_COLOR[point.transport], provider: point.provider },
    ...{ x: point.goodputGbps, y: point.cpuSecondsPerGB, onFront: best.has(idOf(point)) },
  });
  if (points.length === 0)
    return (
      <p className="text-ink-2">
        None of these runs has both goodput and CPU time. Labs that move data in bulk have them.
      </p>
    );
  const transports = TRANSPORTS.filter((one) => points.some(({ transport }) => transport === one));
  const providers = PROVIDER_CLASSES.filter((one) => points.some(({ provider }) => provider === one));
  return (
    <div>
      <ChartBlock
        title="Goodput against CPU time"
        level={level}
        height="h-80"
        text={
          <span data-words>
            Right and down is better: more goodput for less CPU time. Filled marks are on the{' '}
            <Term id="pareto" />: no other run beats them in both.
          </span>
        }
        aside={
          <span className="flex flex-wrap items-center gap-x-4 text-12" data-words>
            {transports.map((one) => (
              <span key={one} className="inline-flex items-center gap-1.5">
                <svg width="10" height="10" aria-hidden>
                  <rect width="10" height="10" fill={TRANSPORT_COLOR[one].line} />
                </svg>
                {points.find(({ transport }) => transport === one)?.name}
              </span>
            ))}
            {providers.map((one) => (
              <span key={one} className="inline-flex items-center gap-1.5">
                <svg width="14" height="14" aria-hidden>
                  <ProviderShape provider={one} x={7} y={7} fill="var(--ink-2)" />
                </svg>
                {PROVIDERS[one].label}
              </span>
            ))}
          </span>
        }
        table={{
          shows: 'scatter-table',
          head: ['Run', 'Transport', 'Provider class', 'Goodput, Gb/s', 'CPU, s/GB', 'Pareto front'],
          rows: points
            .toSorted((a, b) => b.goodputGbps - a.goodputGbps)
            .map((point) => [
              String(point.run.number),
              point.name,
              PROVIDERS[point.provider].label,
              inGbps(point.goodputGbps),
              sig3(point.cpuSecondsPerGB),
              best.has(idOf(point)) ? 'yes' : 'no',
            ]),
        }}
      >
        <Chart dots={points.map(dotOf)} front={front.map(dotOf)} onOpen={({ href }) => navigate(href)} />
      </ChartBlock>
      <p className="mt-1 max-w-[88ch] text-13 text-ink-2">
        On the front, from the cheapest to the fastest:{' '}
        {front.map((point, i) => (
          <span key={idOf(point)} data-run={point.run.id} data-transport={point.transport}>
            {i > 0 ? ', ' : ''}
            <PageLink href={runHref(point.run.id)} className="text-accent underline">
              run {point.run.number} {point.name}
            </PageLink>{' '}
            (<span data-shows="scatter-goodput">{text(goodput(point.goodputGbps))}</span>,{' '}
            <span data-shows="scatter-cpu">{sig3(point.cpuSecondsPerGB)}</span> s/GB)
          </span>
        ))}
        .
      </p>
    </div>
  );
}

const PLACE = { ...MARGIN, right: 28 };
const LINES = [{ key: 'y', name: 'CPU', color: 'var(--ink-2)' }];

interface ChartProps {
  dots: readonly Point[];
  front: readonly Point[];
  onOpen: (point: Point) => void;
}

function Chart({ dots, front, onOpen }: ChartProps) {
  const sorted = useMemo(() => [...dots].sort((a, b) => a.x - b.x || a.y - b.y), [dots]);
  const rows = useMemo(() => sorted.map(({ x, y }, at): CrosshairRow => ({ x, y, at })), [sorted]);
  return (
    <ChartFrame>
      {(size) => (
        <ScatterChart
          label="Goodput against CPU time. Right and down is better"
          dots={sorted}
          front={front}
          {...size}
          margin={PLACE}
          over={
            <>
              <Crosshair
                {...{ group: 'scatter', by: 'x', rows, unit: 's/GB', lines: LINES }}
                title={({ at, x }) => `${sorted[at!]?.name ?? ''} · ${sig3(x)} Gb/s`}
                onOpen={({ at }) => {
                  const point = sorted[at!];
                  if (point) onOpen(point);
                }}
              />
              {sorted.map((point) => (
                <PointLink key={point.id} point={point} />
              ))}
            </>
          }
        />
      )}
    </ChartFrame>
  );
}

/** A link over the mark, for the pointer. The arrow keys move the crosshair, and Enter opens the run at it. */
function PointLink({ point }: { point: Point }) {
  const { x, y } = usePlot();
  return (
    <PageLink
      href={point.href}
      tabIndex={-1}
      title={point.name}
      aria-label={point.name}
      data-dot-link={point.id}
      className="absolute size-6 -translate-x-1/2 -translate-y-1/2 rounded-full hover:bg-accent-wash/50"
      style={{ left: x(point.x), top: y(point.y) }}
    />
  );
}
