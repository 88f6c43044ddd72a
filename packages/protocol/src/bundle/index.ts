export * from './format.js';
export * from './magic.js';
export * from './reader.js';
export { whatInstead } from './what-instead.js';
