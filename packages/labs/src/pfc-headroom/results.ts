import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'needed',
      label: 'Headroom that a port needs',
      unit: 'KB',
      text: 'The smallest with which no seed lost a packet, to 4 KB.',
    },
    { name: 'formula', label: 'Headroom by the formula', unit: 'KB', text: 'Computed.' },
    {
      name: 'residual',
      label: 'Needed headroom, against the formula',
      unit: '%',
      text: 'Simulated / formula − 1. Negative: the formula is for the worst case.',
    },
    {
      name: 'cable',
      label: 'Part of the cable',
      unit: 'KB',
      text: 'Computed: what it holds, there and back.',
    },
    { name: 'reacting', label: 'Part of the reaction', unit: 'KB', text: 'Computed.' },
    { name: 'per-meter', label: 'Headroom per meter of cable', unit: 'bytes', text: 'Computed.' },
    { name: 'needed-fast', label: 'Headroom at four times the rate', unit: 'KB' },
    { name: 'times', label: 'That over the headroom at the rate', unit: '×' },
    { name: 'lost-half', label: 'Packets lost with half of the formula', unit: 'packets' },
    { name: 'gbps-half', label: 'Goodput with half of the formula', unit: 'Gb/s' },
    { name: 'gbps-whole', label: 'Goodput with the headroom of the formula', unit: 'Gb/s' },
  ],
  tables: [
    {
      name: 'lengths',
      label: 'Headroom by length',
      text: 'Of one lossless class of one port. Driver: the allowance of Linux’ mlx5 driver, from 40 Gb/s on.',
      columns: [
        { name: 'length', label: 'Cable', unit: 'm' },
        { name: 'needed', label: 'Needed', unit: 'KB' },
        { name: 'formula', label: 'Formula', unit: 'KB' },
        { name: 'residual', label: 'Residual', unit: '%' },
        { name: 'driver', label: 'Driver', unit: 'KB' },
      ],
    },
    {
      name: 'parts',
      label: 'What too little headroom loses',
      text: 'Medians over the seeds.',
      columns: [
        { name: 'part', label: 'Part of the formula', unit: '%' },
        { name: 'headroom', label: 'Headroom', unit: 'KB' },
        { name: 'drops', label: 'Packets lost' },
        { name: 'gbps', label: 'Goodput', unit: 'Gb/s' },
        { name: 'timeouts', label: 'ACK timeouts' },
      ],
    },
  ],
  curves: [
    {
      name: 'by-length',
      label: 'How headroom grows with the cable',
      x: { label: 'Length of the cable', unit: 'm', log: true },
      y: { label: 'Headroom', unit: 'KB', log: true },
      series: [
        { name: 'simulated', label: 'Needed' },
        { name: 'formula', label: 'Formula' },
        { name: 'driver', label: 'Linux’ mlx5 driver' },
      ],
    },
    {
      name: 'by-headroom',
      label: 'Packets lost with PFC on',
      x: { label: 'Headroom, part of the formula', unit: '%' },
      y: { label: 'Packets lost' },
    },
  ],
};
