import { CartesianGrid, XAxis, YAxis } from 'recharts';
import { sig3 } from '../../format/number';
import { same } from './stable';

/** Same left margin on every chart of a page, so that their x axes stand one below the other. */
export const Y_WIDTH = 52;
export const MARGIN = { top: 24, right: 44, bottom: 16, left: 0 };

function step(span: number): number {
  const raw = span / 6;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.9999) ?? raw;
}

/** Seconds as axis ticks: about six, on round numbers. */
export function timeTicks([from, to]: readonly [number, number]): number[] {
  const by = step(Math.max(1e-6, to - from));
  const out: number[] = [];
  for (let t = Math.ceil(from / by - 1e-9) * by; t <= to + 1e-9; t += by) out.push(Number(t.toPrecision(12)));
  return out;
}

/** Seconds that the axis of a run has room for while it goes on. */
const ROOM = [5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600];

/** While a run goes on, its axis grows a few times and by a lot: the chart stands still in between. */
export function steadyDomain(
  [from, to]: readonly [number, number],
  live: boolean,
): readonly [number, number] {
  const span = to - from;
  const room = ROOM.find((r) => r >= span) ?? Math.ceil(span / 3600) * 3600;
  const end = live ? from + room : to;
  return same(`domain ${from} ${end}`, () => [from, end] as const);
}

/** Equal ticks are the same array. */
export function sameTicks(ticks: readonly number[]): readonly number[] {
  return same(`ticks ${ticks.join()}`, () => ticks);
}

export function tickText(v: number): string {
  return v === 0 ? '0' : Math.abs(v) >= 1000 ? sig3(v) : String(Number(v.toPrecision(3)));
}

const INK = { fill: 'var(--ink-3)' };
const X_LABEL = { value: 'run time, s', position: 'insideBottom' as const, offset: -12, ...INK };

const yLabel = (title: string, fill = 'var(--ink-3)') =>
  same(`y ${title} ${fill}`, () => ({
    value: title,
    position: 'top' as const,
    offset: 12,
    dx: 4,
    style: { textAnchor: 'start' as const, fill },
  }));

/** Axes and grid of a chart over run time. Called, not mounted: recharts looks at its children. */
export function timeAxes(props: {
  domain: readonly [number, number];
  yTicks: readonly number[];
  yTitle: string;
}) {
  const { domain, yTicks, yTitle } = props;
  const top = yTicks.at(-1)!;
  return (
    <>
      <CartesianGrid vertical={false} stroke="var(--grid)" />
      <XAxis
        dataKey="t"
        type="number"
        domain={domain}
        ticks={same(`time ticks ${domain.join()}`, () => timeTicks(domain))}
        interval={0}
        tickFormatter={tickText}
        tickLine={false}
        stroke="var(--line-strong)"
        height={20}
        label={X_LABEL}
      />
      <YAxis
        type="number"
        domain={same(`from 0 ${top}`, () => [0, top] as [number, number])}
        ticks={yTicks}
        interval={0}
        tickFormatter={tickText}
        width={Y_WIDTH}
        axisLine={false}
        tickLine={false}
        label={yLabel(yTitle)}
      />
    </>
  );
}
