import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'whole',
      label: 'One WRITE, median',
      unit: 'µs',
      text: 'From building the WR until ibv_poll_cq has returned the completion.',
    },
    { name: 'whole-p90', label: 'One WRITE, p90', unit: 'µs' },
    {
      name: 'call',
      label: 'The call of ibv_post_send, median',
      unit: 'µs',
      text: 'Until it returned. It overlaps the stages of the device.',
    },
    {
      name: 'sent-in-call',
      label: 'WRITEs whose first packet left during the call',
    },
    { name: 'acked-in-call', label: 'WRITEs whose ACK came during the call' },
    {
      name: 'round',
      label: 'From posted to acknowledged, median',
      unit: 'µs',
      text: 'As the client’s device stamps it.',
    },
    { name: 'waiting', label: 'CQE waits for the poll, median', unit: 'µs' },
    {
      name: 'program-share',
      label: 'Share of the program',
      unit: '%',
      text: 'Of the time of the WRITEs up to p90.',
    },
    { name: 'device-share', label: 'Share of the client’s device', unit: '%' },
    { name: 'away-share', label: 'Share of the link and the server', unit: '%' },
    {
      name: 'clock-error',
      label: 'Uncertainty between the two ends',
      unit: 'µs',
      text: '0 on one machine. Up to 0.2 µs more are allowed for.',
    },
  ],
  tables: [
    {
      name: 'stages',
      label: 'Stages of a WRITE',
      text: 'The median WRITE’s stages add up; percentiles need not. Share: WRITEs up to p90.',
      columns: [
        { name: 'number', label: 'Stage' },
        { name: 'stage', label: 'What happens' },
        { name: 'part', label: 'At work' },
        { name: 'one', label: 'Median WRITE', unit: 'µs' },
        { name: 'median', label: 'p50', unit: 'µs' },
        { name: 'p90', label: 'p90', unit: 'µs' },
        { name: 'p99', label: 'p99', unit: 'µs' },
        { name: 'n', label: 'n' },
        { name: 'share', label: 'Share', unit: '%' },
      ],
    },
    {
      name: 'nic',
      label: 'The same stages on a NIC',
      columns: [
        { name: 'stage', label: 'Stage' },
        { name: 'here', label: 'The embedded device' },
        { name: 'nic', label: 'A NIC' },
      ],
    },
  ],
  curves: [
    {
      name: 'adds-up',
      label: 'How the stages add up',
      text: 'Time since the program began to build the WR, after each stage of the table.',
      x: { label: 'Stages done' },
      y: { label: 'Time', unit: 'µs' },
      series: [
        { name: 'median', label: 'The median WRITE' },
        { name: 'slower', label: 'A slower one: 75 % were at most as slow' },
      ],
    },
  ],
};
