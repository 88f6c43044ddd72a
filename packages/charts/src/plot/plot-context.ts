import { createContext, use } from 'react';
import type { Domain, SCALES, Scale } from '../data/scales.js';

/** Where data lie in a chart, in pixels from its upper left corner. */
export interface PlotArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlotAxis {
  domain: Domain;
  scale: keyof typeof SCALES;
}

export interface PlotContext {
  /** What the chart shows, for those who do not see it. */
  label: string;
  /** Data to pixels, as the axes have it. */
  x: Scale;
  y: Scale;
  area: PlotArea;
  /** Of the whole chart, in pixels. */
  width: number;
  height: number;
  xAxis: PlotAxis;
  yAxis: PlotAxis;
}

export const PlotPlace = createContext<PlotContext | null>(null);

/** Scales and place of the chart that the component is part of. */
export function usePlot(): PlotContext {
  const plot = use(PlotPlace);
  if (!plot) throw new Error('This is part of a chart: put it into a Plot.');
  return plot;
}
