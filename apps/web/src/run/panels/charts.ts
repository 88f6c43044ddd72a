/** Panels with charts, loaded together: what they share would be in the file of each. */
export { default as Cost } from './cost';
export { CpuKey, default as Cpu } from './cpu';
export { default as Goodput, StartUpKey } from './goodput';
export { default as Latency } from './latency';
