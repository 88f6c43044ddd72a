import type { ResultSpecs } from '@verbslab/protocol';
import { SETTINGS } from './scenarios.js';

const rate = { label: 'Rate per host', unit: 'Gb/s' };

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'from',
      label: 'Smallest rate per host that deadlocks',
      unit: 'Gb/s',
      text: 'Simulated, of the rates that the lab tries.',
    },
    {
      name: 'limit',
      label: 'Rate at which a link of the ring is full',
      unit: 'Gb/s',
      text: 'Computed: C / 2.',
    },
    {
      name: 'stuck',
      label: 'Packets that never arrive, at the highest rate',
      unit: '%',
      text: 'Simulated: 5 ms after all sources have stopped.',
    },
    { name: 'ring', label: 'Goodput per host, ring with PFC', unit: 'Gb/s' },
    { name: 'drops', label: 'Goodput per host, watchdog drops', unit: 'Gb/s' },
    { name: 'forwards', label: 'Goodput per host, watchdog forwards', unit: 'Gb/s' },
    { name: 'lossy', label: 'Goodput per host, lossy ring', unit: 'Gb/s' },
    { name: 'tree', label: 'Goodput per host, leaf and spine with PFC', unit: 'Gb/s' },
    { name: 'acted', label: 'Times that the dropping watchdog acted' },
    {
      name: 'residual',
      label: 'Largest difference from the formula for the first PAUSE',
      unit: '%',
      text: 'Simulated / formula − 1, where it is farthest from 0.',
    },
  ],
  tables: [
    {
      name: 'rates',
      label: 'Packets at a fixed rate',
      columns: [
        { name: 'rate', label: 'Rate per host', unit: 'Gb/s' },
        { name: 'sent', label: 'Sent' },
        { name: 'arrived', label: 'Arrived' },
        { name: 'stuck', label: 'Stuck for good' },
        { name: 'pause', label: 'First PAUSE', unit: 'µs' },
        { name: 'formula', label: 'Formula', unit: 'µs' },
      ],
    },
    {
      name: 'settings',
      label: 'Connections',
      columns: [
        { name: 'setting', label: 'Fabric' },
        { name: 'gbps', label: 'Goodput per host', unit: 'Gb/s' },
        { name: 'pauses', label: 'PAUSE frames' },
        { name: 'drops', label: 'Drops' },
        { name: 'timeouts', label: 'ACK timeouts' },
        { name: 'paused', label: 'Paused at the end' },
      ],
    },
  ],
  curves: [
    {
      name: 'arrived',
      label: 'Packets that arrive over the rate',
      text: 'Expected: all of them while 2 × rate is at most that of a link.',
      x: rate,
      y: { label: 'Arrived', unit: '%' },
      series: [
        { name: 'measured', label: 'Simulated' },
        { name: 'expected', label: 'Expected below the limit' },
      ],
    },
    {
      name: 'pause',
      label: 'Time until the first PAUSE over the rate',
      x: rate,
      y: { label: 'Time', unit: 'µs', log: true },
      series: [
        { name: 'measured', label: 'Simulated' },
        { name: 'formula', label: 'Formula' },
      ],
    },
    {
      name: 'received',
      label: 'What a host receives over time',
      x: { label: 'Time', unit: 'ms' },
      y: { label: 'Per host', unit: 'Gb/s' },
      series: SETTINGS.map(({ id, name }) => ({ name: id, label: name })),
    },
  ],
};
