'use client';
import type { Scale } from '@verbslab/charts/data';
import { createContext, use } from 'react';

/** Where data lie in a chart, in pixels from its upper left corner. */
export interface PlotArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlotContext {
  /** Data to pixels. Values beyond the domain lie beyond the plot. */
  x: Scale;
  y: Scale;
  area: PlotArea;
}

export const PlotPlace = createContext<PlotContext | null>(null);

/** Scales and place of the chart that the component is part of. */
export function usePlot(): PlotContext {
  const plot = use(PlotPlace);
  if (!plot) throw new Error('This is part of a chart: put it into a Plot.');
  return plot;
}
