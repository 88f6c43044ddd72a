import type { FigureSpec, ResultSpecs } from '@verbslab/protocol';
import { SETTINGS } from './scenario.js';

const LEFT =
  'From 5 ms after the stop on, over the goodput just before it. The host that stops is left out. Above 100 %: a port that was given up pauses no others any more.';
const series = Object.entries(SETTINGS).map(([name, label]) => ({ name, label }));

export const RESULTS: ResultSpecs = {
  figures: [
    ...series.map(({ name, label }): FigureSpec => ({
      name: `left-${name}`,
      label: `Goodput that is left: ${label}`,
      unit: '%',
      text: LEFT,
    })),
    {
      name: 'stands',
      label: 'Time until all others stand, with PFC',
      unit: 'ms',
      text: 'Below 5 % of their goodput.',
    },
    { name: 'ports', label: 'Ports that are paused at the end, with PFC', unit: 'ports' },
    { name: 'back', label: 'Time until half of the goodput is back, with the watchdog', unit: 'ms' },
    { name: 'dropped', label: 'Packets that the watchdog dropped', unit: 'packets' },
    { name: 'hosts', label: 'Hosts', unit: 'hosts' },
    { name: 'paused', label: 'Time that the port of a slow receiver is paused', unit: '%' },
    {
      name: 'paused-formula',
      label: 'That time by the formula',
      unit: '%',
      text: 'Computed: 1 − rate / link.',
    },
    { name: 'pauses', label: 'PAUSE frames of a slow receiver', unit: 'per second' },
    { name: 'formula', label: 'PAUSE frames by the formula', unit: 'per second', text: 'Computed.' },
    {
      name: 'residual',
      label: 'PAUSE frames against the formula',
      unit: '%',
      text: 'Simulated / formula − 1, at the rate where it is farthest from 0.',
    },
  ],
  tables: [
    {
      name: 'storm',
      label: 'One host stops reading',
      text: 'Medians over the seeds. A dash: that did not happen.',
      columns: [
        { name: 'setting', label: 'Setting' },
        { name: 'before', label: 'Goodput before', unit: 'Gb/s' },
        { name: 'left', label: 'Left later', unit: '%' },
        { name: 'stands', label: 'Stand after', unit: 'ms' },
        { name: 'back', label: 'Back after', unit: 'ms' },
        { name: 'paused', label: 'Ports paused at the end' },
        { name: 'drops', label: 'Packets dropped' },
      ],
    },
    {
      name: 'slow',
      label: 'A slow receiver',
      columns: [
        { name: 'rate', label: 'It takes', unit: 'Gb/s' },
        { name: 'paused', label: 'Paused', unit: '%' },
        { name: 'pausedFormula', label: 'Formula', unit: '%' },
        { name: 'pauses', label: 'PAUSE frames per second' },
        { name: 'formula', label: 'By the formula' },
        { name: 'residual', label: 'Residual', unit: '%' },
        { name: 'gbps', label: 'Goodput', unit: 'Gb/s' },
      ],
    },
  ],
  curves: [
    {
      name: 'goodput',
      label: 'Goodput of all other hosts',
      text: 'The first seed. At 0 one host stops reading.',
      x: { label: 'Time', unit: 'ms' },
      y: { label: 'Goodput', unit: 'Gb/s' },
      series,
    },
    {
      name: 'paused-ports',
      label: 'Ports that are paused',
      text: 'The first seed.',
      x: { label: 'Time', unit: 'ms' },
      y: { label: 'Ports' },
      series,
    },
    {
      name: 'frames',
      label: 'PAUSE frames of a slow receiver',
      x: { label: 'Rate that it takes', unit: 'Gb/s' },
      y: { label: 'PAUSE frames', unit: 'per second' },
      series: [
        { name: 'simulated', label: 'Simulated' },
        { name: 'formula', label: 'Formula' },
      ],
    },
  ],
};
