/** The charts of pages and reports, drawn with recharts. */
export { CpuChart, cpuCharts, cpuTicks } from './charts/cpu-chart.js';
export { CurveChart, namedAtEnds, type SeriesLook } from './charts/curve-chart.js';
export { GoodputChart } from './charts/goodput-chart.js';
export { LatencyChart } from './charts/latency-chart.js';
export type { LineLook } from './marks/look.js';
export type { Margin } from './plot/plot.js';
