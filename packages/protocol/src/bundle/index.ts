export * from './format.js';
export * from './reader.js';
