import { createContext, use } from 'react';
import type { Domain, SCALES, Scale } from '../data/scales.js';

/** The area of the data in a chart, in pixels from its upper left corner. */
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
  /** Description of the chart for screen readers. */
  label: string;
  /** Data to pixels, on the scales of the axes. */
  x: Scale;
  y: Scale;
  area: PlotArea;
  /** Size of the whole chart, pixels. */
  width: number;
  height: number;
  xAxis: PlotAxis;
  yAxis: PlotAxis;
}

export const PlotPlace = createContext<PlotContext | null>(null);

/** Scales and area of the chart around the component. */
export function usePlot(): PlotContext {
  const plot = use(PlotPlace);
  if (!plot) throw new Error('This is part of a chart: put it into a Plot.');
  return plot;
}
