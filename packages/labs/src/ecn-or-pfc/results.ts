import type { ResultSpecs } from '@verbslab/protocol';

const ASKED = 'At alpha 1/16. Median over the seeds.';

export const RESULTS: ResultSpecs = {
  headline: { curve: 'frames' },
  figures: [
    { name: 'left', label: 'PAUSE frames that congestion control leaves', unit: '%', text: ASKED },
    { name: 'pauses', label: 'PAUSE frames with congestion control', unit: 'PAUSEs', text: ASKED },
    { name: 'pauses-none', label: 'PAUSE frames without', unit: 'PAUSEs', text: ASKED },
    { name: 'marks-first', label: 'Packets marked before the first PAUSE', unit: 'packets', text: ASKED },
    { name: 'cnps-first', label: 'CNPs before the first PAUSE', unit: 'CNPs', text: ASKED },
    { name: 'paused-at', label: 'Queue at the first PAUSE', unit: 'KB', text: ASKED },
    {
      name: 'formula',
      label: 'Queue at the first PAUSE: formula',
      unit: 'KB',
      text: 'Computed, at alpha 1/16.',
    },
    {
      name: 'growth',
      label: 'Growth of the queue in a round trip',
      unit: 'KB',
      text: 'Computed, while all hosts send at the rate of their links.',
    },
    {
      name: 'free',
      label: 'Smallest alpha without PAUSE frames, with congestion control',
      text: 'Of those simulated, over all seeds.',
    },
    { name: 'free-none', label: 'Smallest alpha without PAUSE frames, without it', text: 'Likewise.' },
    {
      name: 'residual',
      label: 'Queue at the first PAUSE, against the formula',
      unit: '%',
      text: 'Simulated / formula − 1, where it is farthest from 0.',
    },
  ],
  tables: [
    {
      name: 'alphas',
      label: 'Which acts first',
      text: 'Medians over the seeds. A dash: no PAUSE was sent.',
      columns: [
        { name: 'alpha', label: 'Alpha' },
        { name: 'first', label: 'First' },
        { name: 'at', label: 'First PAUSE after', unit: 'µs' },
        { name: 'queue', label: 'Queue then', unit: 'KB' },
        { name: 'formula', label: 'Formula', unit: 'KB' },
        { name: 'marks', label: 'Marked before' },
        { name: 'cnps', label: 'CNPs before' },
        { name: 'pauses', label: 'PAUSE frames in all' },
        { name: 'none', label: 'Without control' },
      ],
    },
  ],
  curves: [
    {
      name: 'first-pause',
      label: 'Queue at the first PAUSE',
      x: { label: 'Alpha', log: true },
      y: { label: 'Queue', unit: 'KB', log: true },
      series: [
        { name: 'simulated', label: 'Simulated' },
        { name: 'formula', label: 'Formula' },
        { name: 'kmin', label: 'Kmin' },
      ],
    },
    {
      name: 'frames',
      label: 'PAUSE frames in 5 ms',
      x: { label: 'Alpha', log: true },
      y: { label: 'PAUSE frames' },
      series: [
        { name: 'control', label: 'With congestion control' },
        { name: 'none', label: 'Without' },
      ],
    },
    {
      name: 'queue',
      label: 'The queue over time, at alpha 1/16',
      text: 'The first seed.',
      x: { label: 'Time', unit: 'µs' },
      y: { label: 'Queue', unit: 'KB' },
      series: [
        { name: 'control', label: 'With congestion control' },
        { name: 'none', label: 'Without' },
      ],
    },
  ],
};
