/** Panels that follow calls, requests and packets, loaded together: what they share would be in the file of each. */
export { default as Completions } from './completions';
export { default as Counters } from './counters';
export { default as Machine } from './machine';
export { default as Packets } from './packets';
export { default as Problems } from './problems';
export { default as Verbs } from './verbs';
