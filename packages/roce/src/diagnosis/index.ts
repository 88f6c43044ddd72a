export { Diagnoser } from './diagnoser.js';
export type { DiagnoseOptions } from './diagnoser.js';
export { diagnoseFile } from './diagnose-file.js';
export { CHECKED, CLASSES } from './findings/index.js';
export type { DiagnosedConnection, Diagnosis, Direction, Finding, Severity } from './types.js';
