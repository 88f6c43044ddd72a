'use client';
import { tickText, timeTicks, type Domain } from '@verbslab/charts/data';
import type { SVGProps } from 'react';
import { usePlot, type PlotArea } from './plot-context';

/** Same left margin on every chart of a page, so that their x axes stand one below the other. */
export const MARGIN = { top: 24, right: 44, bottom: 36, left: 52 };

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

/** A figure with more digits than there is room for is drawn narrower: cut off, 0.00025 would read .00025. */
const squeezed = (text: string, room: number): SVGProps<SVGTextElement> =>
  CHARACTER * text.length > room ? { textLength: room - 1, lengthAdjust: 'spacingAndGlyphs' } : {};

/** Figures left of the plot, a faint line through it at each, and the title above. */
export function YAxis(props: { ticks: readonly number[]; title?: string; format?: (v: number) => string }) {
  const { format = tickText } = props;
  const { y, area } = usePlot();
  return (
    <>
      {props.ticks.map((t) => (
        <g key={t}>
          <path d={`M${area.x} ${y(t)}h${area.width}`} stroke="var(--grid)" />
          <text
            x={area.x - TICK_LEFT}
            y={y(t) + 4}
            textAnchor="end"
            {...squeezed(format(t), area.x - TICK_LEFT)}
          >
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
