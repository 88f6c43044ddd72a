import { describe, expect, it } from 'vitest';
import { circles } from '../lib/graph.mjs';

const graph = (edges: Record<string, string[]>) => new Map(Object.entries(edges));

describe('circles of includes and imports', () => {
  it('finds none if two paths lead to the same file', () => {
    expect(circles(graph({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toEqual([]);
  });

  it('names the files of a circle in order, without those that only lead to it', () => {
    expect(circles(graph({ a: ['b'], b: ['c'], c: ['d'], d: ['b'] }))).toEqual([['b', 'c', 'd', 'b']]);
  });

  it('finds a file that includes itself, and circles that are not connected', () => {
    expect(circles(graph({ a: ['a'], b: ['c'], c: ['b'] }))).toEqual([
      ['a', 'a'],
      ['b', 'c', 'b'],
    ]);
  });

  it('ignores names that are not files of the graph', () => {
    expect(circles(graph({ a: ['vector'] }))).toEqual([]);
  });
});
