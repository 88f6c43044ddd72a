/** Data behind the charts, without React and without a document. Pages and reports share them. */
export * from './chart-rows.js';
export * from './columns.js';
export * from './cpu-spread.js';
export * from './curve-scales.js';
export * from './label-places.js';
export * from './latency-classes.js';
export * from './latency-marks.js';
export * from './latency-sums.js';
export * from './latency-view.js';
export * from './looks.js';
export * from './measured-run.js';
export * from './request-latencies.js';
export * from './request-latency-view.js';
export * from './scales.js';
export * from './series-tables.js';
export * from './series-view.js';
export * from './ticks.js';
