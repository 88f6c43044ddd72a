/** Panels that follow requests and packets, loaded together: what they share would be in the file of each. */
export { default as Completions } from './completions';
export { default as Machine } from './machine';
export { default as Packets } from './packets';
export { default as Traffic } from './traffic';
export { default as Verbs } from './verbs';
export { default as Work } from './work';
