import { useId, useMemo, type ReactNode } from 'react';
import { ComposedChart } from 'recharts';
import { SCALES } from '../data/scales.js';
import { PlotPlace, type PlotAxis, type PlotContext } from './plot-context.js';

export interface Margin {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** Values at one x. A missing one is a gap. */
export type PlotRow = { t: number } & Record<string, number | null | undefined>;

export interface PlotProps {
  /** Description of the chart for screen readers. */
  label: string;
  /** Pixels. */
  width: number;
  height: number;
  margin: Margin;
  x: PlotAxis;
  y: PlotAxis;
  /** Data of the lines and areas, by `t`. */
  rows: readonly PlotRow[];
  /**
   * Elements over the drawing, such as a crosshair or links. They describe the chart to screen readers in place of the
   * drawing.
   */
  over?: ReactNode;
  /** Axes and marks. */
  children: ReactNode;
}

/** A chart of recharts with fixed axes. Marks that recharts lacks get its scales through `usePlot`. */
export function Plot({ label, width, height, margin, x, y, rows, over, children }: PlotProps) {
  const id = useId();
  const [x0, x1] = x.domain;
  const [y0, y1] = y.domain;
  // Recharts treats new objects as new axes and computes everything again.
  const xAxis = useMemo((): PlotAxis => ({ domain: [x0, x1], scale: x.scale }), [x0, x1, x.scale]);
  const yAxis = useMemo((): PlotAxis => ({ domain: [y0, y1], scale: y.scale }), [y0, y1, y.scale]);
  const plot = useMemo((): PlotContext => {
    const area = {
      x: margin.left,
      y: margin.top,
      width: Math.max(1, width - margin.left - margin.right),
      height: Math.max(1, height - margin.top - margin.bottom),
    };
    return {
      ...{ label, area, width, height },
      x: SCALES[xAxis.scale](xAxis.domain, [area.x, area.x + area.width]),
      y: SCALES[yAxis.scale](yAxis.domain, [area.y + area.height, area.y]),
      ...{ xAxis, yAxis },
    };
  }, [label, width, height, margin, xAxis, yAxis]);
  // The axes take up the left and bottom margins.
  const outer = useMemo(
    () => ({ top: margin.top, right: margin.right, bottom: 0, left: 0 }),
    [margin.top, margin.right],
  );
  return (
    <PlotPlace value={plot}>
      <ComposedChart
        id={id}
        width={width}
        height={height}
        data={rows}
        margin={outer}
        accessibilityLayer={false}
        {...(over ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      >
        {children}
      </ComposedChart>
      {over}
    </PlotPlace>
  );
}
