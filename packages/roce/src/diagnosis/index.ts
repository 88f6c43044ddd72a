export { Diagnoser } from './diagnoser.js';
export type { DiagnoseOptions } from './diagnoser.js';
export { connectionFilter } from './connection-filter.js';
export { diagnoseFile } from './diagnose-file.js';
export { CHECKED, CLASSES } from './findings/index.js';
export { NO_CURE } from './types.js';
export type {
  CaptureCounts,
  DiagnosedConnection,
  Diagnosis,
  Direction,
  Finding,
  MessageTotals,
  Severity,
} from './types.js';
