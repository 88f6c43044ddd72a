import type { ResultSpecs } from '@verbslab/protocol';
import { medianColumns } from '../form/common-results.js';
import { WAYS } from './ways.js';

const EVEN = 'Computed: last crossing of lines between medians. None: always less, or not at the largest.';

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'image', label: 'Shipped function with signature', unit: 'B' },
    { name: 'even-ship', label: 'Break-even, function shipped every time', unit: 'KiB', text: EVEN },
    { name: 'even-call', label: 'Break-even, function already there', unit: 'KiB', text: EVEN },
    ...WAYS.flatMap(({ id, title }) => [
      { name: `small-${id}`, label: `${title}, smallest data`, unit: 'µs' },
      { name: `large-${id}`, label: `${title}, largest data`, unit: 'µs' },
    ]),
    { name: 'verify', label: 'Verify the signature', unit: 'µs' },
    { name: 'compile', label: 'Compile and make an instance', unit: 'µs' },
    {
      name: 'crossing',
      label: 'Copy into new memory, wake the sandbox',
      unit: 'µs',
      text: 'Input of the largest data, and output.',
    },
    { name: 'again', label: 'The same in memory that is in use', unit: 'µs' },
    { name: 'run', label: 'Run over the largest data', unit: 'µs' },
    {
      name: 'rest',
      label: 'The rest of a shipped call',
      unit: 'µs',
      text: 'Computed: median for the largest data, less those of verifying, compiling, copying and running.',
    },
    {
      name: 'stopped',
      label: 'Time until the loop was stopped',
      unit: 'ms',
      text: 'With the command to the server and its answer.',
    },
    { name: 'grown', label: 'Memory of the function that grew', unit: 'B' },
  ],
  tables: [
    {
      name: 'refusals',
      label: 'Functions refused or stopped',
      text: 'Status: immediate of the answer; 0: it ran. Time: until decided, with command and answer.',
      columns: [
        { name: 'case', label: 'Function' },
        { name: 'code', label: 'Code' },
        { name: 'says', label: 'What the server says' },
        { name: 'status', label: 'Status' },
        { name: 'time', label: 'Time', unit: 'ms' },
      ],
    },
    {
      name: 'times',
      label: 'Code to the data, or data to the code',
      text: 'Payload: computed. CPU: whole process per call; its threads may together exceed the call’s time.',
      columns: [
        { name: 'size', label: 'Data', unit: 'B' },
        { name: 'way', label: 'Way' },
        ...medianColumns(),
        { name: 'payload', label: 'Payload on the wire', unit: 'B' },
        { name: 'client', label: 'CPU of the client', unit: 'µs' },
        { name: 'server', label: 'CPU of the server', unit: 'µs' },
      ],
    },
    {
      name: 'stages',
      label: 'What the server does with a shipped function',
      text: 'With the largest data. The rest is computed: messages, wake-ups, waiting, freeing memory.',
      columns: [{ name: 'stage', label: 'Part' }, ...medianColumns('Samples')],
    },
  ],
  curves: [
    {
      name: 'time',
      label: 'Time until the client has the answer',
      x: { label: 'Data', unit: 'B', log: true },
      y: { label: 'Time', unit: 'µs', log: true },
      series: WAYS.map(({ id, title }) => ({ name: id, label: title })),
    },
  ],
};
