/**
 * Plain data of the public API: options, attributes, completions, reports. No code.
 *
 * Conventions: sizes are in bytes. Names of times end in their unit: `Ns`, `Us` or `Ms`. 64-bit values of the verbs ABI
 * (addresses, work request ids, GUIDs) are `bigint` in results, `bigint | number` in arguments. "Gb/s" is decimal, "GB"
 * is 10^9 bytes. Names follow the verbs.
 */
export type * from './types/cm.js';
export type * from './types/device.js';
export type * from './types/qp.js';
export type * from './types/work.js';
export type * from './types/extensions.js';
