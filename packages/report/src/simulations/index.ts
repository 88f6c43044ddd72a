/** Simulated fabrics of a run: curves over virtual time, and a table of several. Reports and pages show the same. */
export { fabricCurves, simulationNames } from './curves.js';
export { simulationsTable } from './table.js';
