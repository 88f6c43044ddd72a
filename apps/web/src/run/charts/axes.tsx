'use client';
import { sig3 } from '../../format/number';
import { usePlot, type Domain, type PlotArea } from './plot-context';

/** Same left margin on every chart of a page, so that their x axes stand one below the other. */
export const MARGIN = { top: 24, right: 44, bottom: 36, left: 52 };

function step(span: number): number {
  const raw = span / 6;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.9999) ?? raw;
}

/** Seconds as axis ticks: about six, on round numbers. */
export function timeTicks([from, to]: Domain): number[] {
  const by = step(Math.max(1e-6, to - from));
  const out: number[] = [];
  for (let t = Math.ceil(from / by - 1e-9) * by; t <= to + 1e-9; t += by) out.push(Number(t.toPrecision(12)));
  return out;
}

/** 1, 2 and 5 of each decade inside the axis; decades alone when there are many. */
export function logTicks([lo, hi]: Domain): number[] {
  const from = Math.floor(Math.log10(lo));
  const to = Math.ceil(Math.log10(hi));
  const within = to - from > 3 ? [1] : to - from > 1 ? [1, 3] : [1, 2, 5];
  const out: number[] = [];
  for (let d = from; d <= to; d++) for (const m of within) out.push(m * 10 ** d);
  return out.filter((t) => t >= lo && t <= hi);
}

/** Seconds that the axis of a run in progress has room for. */
const ROOM = [5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600];

/** During a run, its axis grows a few times and by a lot; between, the chart does not move. */
export function steadyDomain([from, to]: Domain, live: boolean): Domain {
  const span = to - from;
  const room = ROOM.find((r) => r >= span) ?? Math.ceil(span / 3600) * 3600;
  return [from, live ? from + room : to];
}

export function tickText(v: number): string {
  return v === 0 ? '0' : Math.abs(v) >= 1000 ? sig3(v) : String(Number(v.toPrecision(3)));
}

/** Width of a character of the charts' type. */
export const CHARACTER = 7.3;

const TICK_BELOW = 16;
const TITLE_BELOW = 31;

/** Line, figures and title below the plot. */
export function XAxis(props: { ticks: readonly number[]; format: (v: number) => string; title?: string }) {
  const { x, area } = usePlot();
  const foot = area.y + area.height;
  return (
    <g textAnchor="middle">
      <path d={`M${area.x} ${foot}h${area.width}`} stroke="var(--line-strong)" />
      {props.ticks.map((t) => (
        <text key={t} x={x(t)} y={foot + TICK_BELOW}>
          {props.format(t)}
        </text>
      ))}
      {props.title === undefined ? null : (
        <text x={area.x + area.width / 2} y={foot + TITLE_BELOW}>
          {props.title}
        </text>
      )}
    </g>
  );
}

/** Figures left of the plot, a faint line through it at each, and the title above. */
export function YAxis(props: { ticks: readonly number[]; title?: string; format?: (v: number) => string }) {
  const { format = tickText } = props;
  const { y, area } = usePlot();
  return (
    <>
      {props.ticks.map((t) => (
        <g key={t}>
          <path d={`M${area.x} ${y(t)}h${area.width}`} stroke="var(--grid)" />
          <text x={area.x - TICK_LEFT} y={y(t) + 4} textAnchor="end">
            {format(t)}
          </text>
        </g>
      ))}
      {props.title === undefined ? null : <PlotTitle words={props.title} />}
    </>
  );
}

/** Where the figures of y axes end, and where long titles begin, left of the plot. */
const TICK_LEFT = 8;
const TITLE_LEFT = 22;

/** How far above the plot the title of its y axis stands. */
export const TITLE_ABOVE = 10;

/** Whether the title ends with the figures of the axis; a longer one begins at the left edge. */
const endsAtTicks = ({ x }: Pick<PlotArea, 'x'>, words: string): boolean =>
  CHARACTER * words.length <= x - TICK_LEFT;

/** From where to where the title of the y axis reaches. */
export function titleRange(area: Pick<PlotArea, 'x'>, words: string): Domain {
  const width = CHARACTER * words.length;
  return endsAtTicks(area, words)
    ? [area.x - TICK_LEFT - width, area.x - TICK_LEFT]
    : [area.x - TITLE_LEFT, area.x - TITLE_LEFT + width];
}

/** What the y axis counts, above it: over its figures, where there is room, and else into the plot's width. */
export function PlotTitle({ words }: { words: string }) {
  const { area } = usePlot();
  const [from, to] = titleRange(area, words);
  const fits = endsAtTicks(area, words);
  return (
    <text
      x={fits ? to : from}
      y={area.y - TITLE_ABOVE}
      textAnchor={fits ? 'end' : 'start'}
      style={{ fill: 'var(--ink-3)' }}
    >
      {words}
    </text>
  );
}

/** Run time along the foot of a chart. */
export function TimeAxis({ domain }: { domain: Domain }) {
  return <XAxis ticks={timeTicks(domain)} format={tickText} title="run time, s" />;
}
