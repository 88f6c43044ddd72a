import type { ResultSpecs } from '@verbslab/protocol';
import { medianColumns } from '../form/common-results.js';
import { MODES } from './modes.js';

export const RESULTS: ResultSpecs = {
  headline: { table: 'modes', columns: ['mode', 'median', 'min', 'max', 'told'] },
  figures: MODES.flatMap(({ id, title }) => [
    { name: `time-${id}`, label: `Time, ${title.toLowerCase()}`, unit: 'µs' },
    { name: `told-${id}`, label: `Completions at the server per operation, ${title.toLowerCase()}` },
  ]),
  tables: [
    {
      name: 'modes',
      label: 'Four modes, one payload',
      text: 'Until the client has its completion, and the answer in modes that have one.',
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
      text: 'Per operation. Program: all but NIC work, with waiting and wake-ups of the device’s thread.',
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
      text: 'Access flags of memory regions and QPs in the measurement. No mode had more.',
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
      text: 'The regions lack the flag named. The QPs allow everything.',
      columns: [
        { name: 'mode', label: 'Mode' },
        { name: 'without', label: 'Without' },
        { name: 'seen', label: 'What happens' },
      ],
    },
  ],
};
