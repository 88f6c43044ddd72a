'use client';
import { usePlot } from '@verbslab/charts';
import { useEffect, useRef } from 'react';
import { paintHeat } from './draw/heat';
import { paletteOf } from './draw/pen';
import type { HeatTrack } from './model/track';

const NOTHING: ReadonlySet<number> = new Set();
const CHOSEN = { wr: NOTHING, packet: NOTHING, event: NOTHING };

/** Cells of a heat map on the axes of a chart: too many for elements. Its table says the same. */
export function HeatOverPlot({ track }: { track: HeatTrack }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { x, y, area, xAxis } = usePlot();
  const top = y(track.classes.at(-1)! / 1000);
  const height = Math.max(1, y(track.least / 1000) - top);
  const { width } = area;
  const [from, to] = xAxis.domain;
  useEffect(() => {
    const draw = (): void => {
      const element = canvas.current!;
      const density = window.devicePixelRatio || 1;
      element.width = Math.max(1, Math.round(width * density));
      element.height = Math.max(1, Math.round(height * density));
      const ctx = element.getContext('2d')!;
      ctx.scale(density, density);
      const view = { from: from * 1e9, to: to * 1e9, width };
      paintHeat({ ctx, view, height, colors: paletteOf(element), chosen: CHOSEN }, track);
    };
    draw();
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
    return () => theme.disconnect();
  }, [track, width, height, from, to]);
  return (
    <canvas
      ref={canvas}
      aria-hidden
      data-heat={track.counts.reduce((a, b) => a + b, 0)}
      className="pointer-events-none absolute"
      style={{ left: x(from), top, width, height }}
    />
  );
}
