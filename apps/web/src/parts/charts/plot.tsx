'use client';
import { SCALES, type Domain } from '@verbslab/charts/data';
import { useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Crosshair, useCrosshairKeys, type CrosshairProps } from './crosshair';
import { PlotPlace, type PlotContext } from './plot-context';

export interface Margin {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export interface PlotProps {
  /** What the chart shows, for those who do not see it. */
  label: string;
  margin: Margin;
  xDomain: Domain;
  yDomain: Domain;
  xScale?: keyof typeof SCALES;
  yScale?: keyof typeof SCALES;
  crosshair: CrosshairProps;
  /** Axes and curves, as SVG. */
  children: ReactNode;
  /** What lies over the crosshair, as HTML: links. */
  over?: ReactNode;
}

/**
 * A chart: as large as its place, with scales for its parts and a crosshair over them. Axes and curves are drawn in one
 * go, so they always belong together.
 */
export function Plot(props: PlotProps) {
  const {
    label,
    margin,
    xDomain,
    yDomain,
    xScale = 'linear',
    yScale = 'linear',
    crosshair,
    children,
    over,
  } = props;
  const place = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  useLayoutEffect(() => {
    const el = place.current!;
    const measure = () => setSize({ width: el.clientWidth, height: el.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(el);
    return () => observer.disconnect();
  }, []);
  const [x0, x1] = xDomain;
  const [y0, y1] = yDomain;
  const plot = useMemo((): PlotContext | null => {
    if (!size) return null;
    const width = Math.max(1, size.width - margin.left - margin.right);
    const height = Math.max(1, size.height - margin.top - margin.bottom);
    const area = { x: margin.left, y: margin.top, width, height };
    return {
      area,
      x: SCALES[xScale]([x0, x1], [area.x, area.x + width]),
      y: SCALES[yScale]([y0, y1], [area.y + height, area.y]),
    };
  }, [size, margin, xScale, yScale, x0, x1, y0, y1]);
  const onKeyDown = useCrosshairKeys(crosshair);
  return (
    // Arrow keys move the crosshair, as the pointer does.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={place}
      role="application"
      aria-label={`${label}. Arrow keys move the crosshair.${crosshair.onOpen ? ' Enter opens the runs of the marked point.' : ''}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="relative h-full w-full overflow-hidden outline-none"
    >
      {plot && size ? (
        <PlotPlace value={plot}>
          <svg width={size.width} height={size.height} aria-hidden className="absolute inset-0">
            {children}
          </svg>
          <Crosshair {...crosshair} />
          {over}
        </PlotPlace>
      ) : null}
    </div>
  );
}
