import type { ResultSpecs } from '@verbslab/protocol';
import { medianColumns } from '../form/common-results.js';
import { MODES } from './modes.js';

export const RESULTS: ResultSpecs = {
  figures: MODES.flatMap(({ id, title }) => [
    { name: `time-${id}`, label: `Time, ${title.toLowerCase()}`, unit: 'µs' },
    { name: `told-${id}`, label: `Completions at the server per operation, ${title.toLowerCase()}` },
  ]),
  tables: [
    {
      name: 'modes',
      label: 'Four modes, one payload',
      text: 'Time: until the client has its completion, and the answer in modes that have one. Median and range of the repetitions. Completions: of the server’s RECVs, per operation.',
      columns: [
        { name: 'mode', label: 'Mode' },
        { name: 'does', label: 'Operation' },
        ...medianColumns(),
        { name: 'told', label: 'Completions at the server' },
      ],
    },
    {
      name: 'cpu',
      label: 'CPU time of each mode',
      text: 'Per operation: the mean of a repetition, then the median of the repetitions. Program: all of the process but NIC work, so its waiting and the wake-ups of the device’s thread are in it. NIC work: what a NIC would do by itself. The threads of a process run side by side, and the time of a mode is a median of operations, so CPU time may exceed it.',
      columns: [
        { name: 'mode', label: 'Mode' },
        { name: 'clientProgram', label: 'Client, program', unit: 'µs' },
        { name: 'clientNic', label: 'Client, NIC work', unit: 'µs' },
        { name: 'serverProgram', label: 'Server, program', unit: 'µs' },
        { name: 'serverNic', label: 'Server, NIC work', unit: 'µs' },
      ],
    },
    {
      name: 'rights',
      label: 'Rights of each mode',
      text: 'Access flags of the memory regions in the measurement, and of the QPs (qp_access_flags). No mode had more.',
      columns: [
        { name: 'mode', label: 'Mode' },
        { name: 'client', label: 'At the client' },
        { name: 'server', label: 'At the server' },
        { name: 'beyond', label: 'Besides' },
      ],
    },
    {
      name: 'privileges',
      label: 'Without one privilege',
      text: 'Tried before the measurement. The regions have the flags of the table of rights, without the one named. The QPs allow everything, so that the region decides.',
      columns: [
        { name: 'mode', label: 'Mode' },
        { name: 'without', label: 'Without' },
        { name: 'seen', label: 'What happens' },
      ],
    },
  ],
};
