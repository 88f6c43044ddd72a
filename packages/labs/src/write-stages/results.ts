import type { ResultSpecs } from '@verbslab/protocol';
import { PARTS } from './stages.js';

export const RESULTS: ResultSpecs = {
  headline: { table: 'stages' },
  figures: [
    {
      name: 'mean',
      label: 'One WRITE, mean up to p90',
      unit: 'µs',
      text: 'The slowest tenth is left out: a program that was preempted would decide the mean.',
    },
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
    {
      name: 'library-share',
      label: 'Share of the library',
      unit: '%',
      text: 'The calls of ibv_post_send and ibv_poll_cq, with the binding to C.',
    },
    { name: 'device-share', label: 'Share of the client’s device', unit: '%' },
    { name: 'away-share', label: 'Share of the wire and the server’s device', unit: '%' },
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
      text: 'Mean and share are of the WRITEs up to p90. Means add up; percentiles need not.',
      bars: {
        name: 'stage',
        length: 'mean',
        by: 'part',
        looks: {
          [PARTS.program]: 'program',
          [PARTS.library]: 'library',
          [PARTS.device]: 'device',
          [PARTS.wire]: 'wire',
          [PARTS.server]: 'server',
          [PARTS.away]: 'wire',
        },
      },
      columns: [
        { name: 'number', label: 'Stage' },
        { name: 'stage', label: 'What happens' },
        { name: 'part', label: 'At work' },
        { name: 'mean', label: 'Mean', unit: 'µs' },
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
};
