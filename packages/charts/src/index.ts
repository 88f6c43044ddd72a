/** The charts of pages and reports, drawn with recharts. */
export { CostChart, COST_AXIS_HEIGHT, type CostRow } from './charts/cost-chart.js';
export { CpuChart, cpuCharts, cpuTicks } from './charts/cpu-chart.js';
export { CurveChart, namedAtEnds, type SeriesLook } from './charts/curve-chart.js';
export {
  DistributionsChart,
  type DistributionKind,
  type OverlaidLatency,
} from './charts/distributions-chart.js';
export { GoodputChart } from './charts/goodput-chart.js';
export { LatencyChart } from './charts/latency-chart.js';
export { LatencyTimeChart, type LatencyLine } from './charts/latency-time-chart.js';
export { OverlayChart, type OverlayLine } from './charts/overlay-chart.js';
export { RatesChart, type RateLine } from './charts/rates-chart.js';
export { ScatterChart, type Dot } from './charts/scatter-chart.js';
export type { LineLook } from './marks/look.js';
export type { Mark } from './marks/reached.js';
export { PercentileShape, ProviderShape } from './marks/shapes.js';
export { PlotPlace, usePlot, type PlotContext } from './plot/plot-context.js';
export type { Margin } from './plot/plot.js';
