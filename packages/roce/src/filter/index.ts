/** Display filters in Wireshark's language over the packets that this package decodes. */
export { unitOf } from './fields.js';
export { FilterError } from './error.js';
export { compileFilter } from './compile.js';
export type { Filter } from './compile.js';
export type { FilterPacket } from './view.js';
export { parseFilter } from './parser.js';
export { printFilter } from './print.js';
export { filterFields } from './fields.js';
export type { FilterField, FilterType } from './fields.js';
export type { Expression } from './ast.js';
export { completeFilter } from './complete.js';
export type { Candidate, Completion } from './complete.js';
export { valueFilter } from './value-filter.js';
