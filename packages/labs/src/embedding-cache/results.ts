import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'hit-rate',
      label: 'Hit rate',
      unit: '%',
      text: 'Of the lookups after the cache was full.',
    },
    {
      name: 'expected',
      label: 'Hit rate, computed',
      unit: '%',
      text: 'Che’s approximation for a cache that drops the least recently used row.',
    },
    {
      name: 'read-time',
      label: 'One READ of a row',
      unit: 'µs',
      text: 'Median of 20. A lookup without a cache takes that long.',
    },
    {
      name: 'lookup-time',
      label: 'A lookup with the cache, on average',
      unit: 'µs',
      text: 'Computed: time of one READ × share of misses. Hits count as free.',
    },
    {
      name: 'saved',
      label: 'Saved per lookup, on average',
      unit: 'µs',
      text: 'Computed: the time of one READ × the hit rate.',
    },
    { name: 'stale-completion', label: 'Old rows used, trusting the completion' },
    { name: 'stale-acknowledged', label: 'Old rows used, after the readers’ answers' },
  ],
  tables: [
    {
      name: 'sizes',
      label: 'Hits by size of the cache',
      text: 'Hits of full caches. Chance: four standard deviations, and 1.5 for the approximation.',
      columns: [
        { name: 'slots', label: 'Rows in a cache' },
        { name: 'lookups', label: 'Lookups of a full cache' },
        { name: 'hits', label: 'Hits', unit: '%' },
        { name: 'lru', label: 'Computed', unit: '%' },
        { name: 'chance', label: 'Chance, ±', unit: '%' },
        { name: 'best', label: 'Most popular rows only', unit: '%' },
        { name: 'all', label: 'All lookups' },
        { name: 'reads', label: 'READs' },
      ],
    },
    {
      name: 'ways',
      label: 'Changing a row that is cached',
      text: 'Lookups right after the update. Old: the table had a newer version.',
      columns: [
        { name: 'way', label: 'Steps' },
        { name: 'lookups', label: 'Lookups' },
        { name: 'stale', label: 'Old rows used' },
      ],
    },
  ],
  curves: [
    {
      name: 'by-size',
      label: 'Hit rate by size of the cache',
      x: { label: 'Rows in a cache', log: true },
      y: { label: 'Hits', unit: '%' },
      series: [
        { name: 'measured', label: 'Measured' },
        { name: 'lru', label: 'Computed' },
        { name: 'best', label: 'Most popular rows only' },
      ],
    },
  ],
};
