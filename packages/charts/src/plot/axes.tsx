import { CartesianGrid, XAxis as XAxisOfRecharts, YAxis as YAxisOfRecharts, ZIndexLayer } from 'recharts';
import { memo, type SVGProps } from 'react';
import { LINE_HEIGHT } from '../data/label-places.js';
import { tickText } from '../data/ticks.js';
import type { Domain } from '../data/scales.js';
import { LAYERS } from './layers.js';
import { usePlot, type PlotArea, type PlotContext } from './plot-context.js';

/** Width of a character in the font of the charts, pixels. */
export const CHARACTER = 7.3;

const TICK_BELOW = 16;
const TITLE_BELOW = 31;
/** Pixels from the plot to the end of the y axis figures on its left, and to the start of a long title. */
const TICK_LEFT = 8;
const TITLE_LEFT = 22;
/** Pixels between the plot and the title of its y axis above. */
export const TITLE_ABOVE = 10;

type Format = (value: number) => string;

interface AxisProps {
  ticks: readonly number[];
  title?: string | undefined;
  format?: Format;
}

interface YAxisProps extends AxisProps {
  /** True if names stand right above the plot. A title that extends over the plot then stands above the names. */
  named?: boolean;
}

/** True if an axis looks the same as before. At ten redraws per second, axes hardly ever change. */
const sameAxis = ({ ticks, ...rest }: YAxisProps, { ticks: before, ...old }: YAxisProps): boolean =>
  ticks.length === before.length &&
  ticks.every((tick, i) => tick === before[i]) &&
  (['title', 'format', 'named'] as const).every((key) => rest[key] === old[key]);

/** The middle of a figure: below its place on the axis, as long as the whole figure is within the chart. */
const middleOf = (text: string, at: number, width: number): number =>
  Math.min(at, width - (CHARACTER * text.length) / 2);

/** The ticks with room for their figures side by side. */
function roomy(ticks: readonly number[], format: Format, { x, width }: PlotContext): number[] {
  let edge = -Infinity;
  return ticks.filter((tick) => {
    const half = (CHARACTER * format(tick).length) / 2;
    const middle = middleOf(format(tick), x(tick), width);
    if (middle - half < edge + 10) return false;
    edge = middle + half;
    return true;
  });
}

/** Line, figures and title below the plot. */
export const XAxis = memo(function XAxis({ ticks, title, format = tickText }: AxisProps) {
  const plot = usePlot();
  const { area, xAxis, width, height } = plot;
  const foot = area.y + area.height;
  return (
    <>
      <XAxisOfRecharts
        dataKey="t"
        type="number"
        scale={xAxis.scale}
        domain={[...xAxis.domain]}
        ticks={roomy(ticks, format, plot)}
        interval={0}
        height={height - foot}
        axisLine={{ stroke: 'var(--line-strong)' }}
        tickLine={false}
        tick={({ x: at, payload }) => (
          <text
            x={middleOf(format(Number(payload.value)), Number(at), width)}
            y={foot + TICK_BELOW}
            textAnchor="middle"
          >
            {format(Number(payload.value))}
          </text>
        )}
      />
      {title === undefined ? null : (
        <ZIndexLayer zIndex={LAYERS.names}>
          <text x={area.x + area.width / 2} y={foot + TITLE_BELOW} textAnchor="middle">
            {title}
          </text>
        </ZIndexLayer>
      )}
    </>
  );
}, sameAxis);

/** Draws a figure narrower if it has more digits than there is room for. Cut off, 0.00025 would read .00025. */
const squeezed = (text: string, room: number): SVGProps<SVGTextElement> =>
  CHARACTER * text.length > room ? { textLength: room - 1, lengthAdjust: 'spacingAndGlyphs' } : {};

/** Figures left of the plot, a faint line through it at each, and the title above. */
export const YAxis = memo(function YAxis({ ticks, title, format = tickText, named = false }: YAxisProps) {
  const { area, yAxis } = usePlot();
  const right = area.x - TICK_LEFT;
  return (
    <>
      <CartesianGrid vertical={false} syncWithTicks stroke="var(--grid)" />
      <YAxisOfRecharts
        type="number"
        scale={yAxis.scale}
        domain={[...yAxis.domain]}
        ticks={[...ticks]}
        interval={0}
        width={area.x}
        axisLine={false}
        tickLine={false}
        tick={({ y: at, payload }) => (
          <text
            x={right}
            y={Number(at) + 4}
            textAnchor="end"
            {...squeezed(format(Number(payload.value)), right)}
          >
            {format(Number(payload.value))}
          </text>
        )}
      />
      {title === undefined ? null : (
        <ZIndexLayer zIndex={LAYERS.names}>
          <PlotTitle words={title} named={named} />
        </ZIndexLayer>
      )}
    </>
  );
}, sameAxis);

/** True if the title ends with the figures of the axis. A longer one begins at the left edge. */
const endsAtTicks = ({ x }: Pick<PlotArea, 'x'>, words: string): boolean =>
  CHARACTER * words.length <= x - TICK_LEFT;

/** Start and end of the y axis title, pixels. */
export function titleRange(area: Pick<PlotArea, 'x'>, words: string): Domain {
  const width = CHARACTER * words.length;
  return endsAtTicks(area, words)
    ? [area.x - TICK_LEFT - width, area.x - TICK_LEFT]
    : [Math.max(0, area.x - TITLE_LEFT), Math.max(0, area.x - TITLE_LEFT) + width];
}

/** Title of the y axis, above it: over its figures if there is room, or else across the plot's width. */
function PlotTitle({ words, named }: { words: string; named: boolean }) {
  const { area } = usePlot();
  const [from, to] = titleRange(area, words);
  const fits = endsAtTicks(area, words);
  const above = TITLE_ABOVE + (named && !fits ? LINE_HEIGHT : 0);
  return (
    <text x={fits ? to : from} y={area.y - above} textAnchor={fits ? 'end' : 'start'}>
      {words}
    </text>
  );
}
