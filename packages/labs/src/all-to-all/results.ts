import type { ResultSpecs } from '@verbslab/protocol';

const PACKETS = 'Data packets and ACKs in the captures of all hosts, without retransmitted ones.';
const TIME = 'The slowest host of each round, added up. The wait between rounds is left out.';
const SERIES = [
  { name: 'pairwise', label: 'Pairwise' },
  { name: 'bruck', label: 'Bruck' },
];

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'messages-pairwise', label: 'Messages per host, pairwise' },
    { name: 'messages-bruck', label: 'Messages per host, Bruck' },
    { name: 'blocks-pairwise', label: 'Blocks that each host sent, pairwise' },
    { name: 'blocks-bruck', label: 'Blocks that each host sent, Bruck' },
    {
      name: 'packets-pairwise',
      label: 'Packets of all hosts, pairwise, small blocks',
      unit: 'packets',
      text: PACKETS,
    },
    {
      name: 'packets-bruck',
      label: 'Packets of all hosts, Bruck, small blocks',
      unit: 'packets',
      text: PACKETS,
    },
    { name: 'small-pairwise', label: 'Time, pairwise, small blocks', unit: 'µs', text: TIME },
    { name: 'small-bruck', label: 'Time, Bruck, small blocks', unit: 'µs', text: TIME },
    { name: 'large-pairwise', label: 'Time, pairwise, large blocks', unit: 'µs', text: TIME },
    { name: 'large-bruck', label: 'Time, Bruck, large blocks', unit: 'µs', text: TIME },
  ],
  tables: [
    {
      name: 'counts',
      label: 'Messages, blocks and packets of one exchange',
      text: 'Small blocks. Messages, blocks and payload are counted in the capture of each host, or as posted if there is none. Formula: computed.',
      columns: [
        { name: 'algorithm', label: 'Algorithm' },
        { name: 'messages', label: 'Messages per host' },
        { name: 'messagesFormula', label: 'Messages, formula' },
        { name: 'blocks', label: 'Blocks per host' },
        { name: 'blocksFormula', label: 'Blocks, formula' },
        { name: 'bytes', label: 'Payload per host', unit: 'B' },
        { name: 'packets', label: 'Packets of all hosts, captured' },
        { name: 'packetsFormula', label: 'Packets, formula' },
        { name: 'again', label: 'Retransmitted' },
        { name: 'counted', label: 'Packets by the counters' },
      ],
    },
    {
      name: 'schedule',
      label: 'What host 1 sends',
      text: '1→3 is the block of host 1 for host 3. The other hosts do the same, starting from their own number.',
      columns: [
        { name: 'algorithm', label: 'Algorithm' },
        { name: 'round', label: 'Round' },
        { name: 'peer', label: 'To host' },
        { name: 'count', label: 'Blocks' },
        { name: 'blocks', label: 'Which' },
      ],
    },
    {
      name: 'times',
      label: 'Time of an exchange',
      text: 'Median and range of the repetitions, each the median of nine exchanges.',
      columns: [
        { name: 'size', label: 'Block', unit: 'B' },
        { name: 'algorithm', label: 'Algorithm' },
        { name: 'median', label: 'Median', unit: 'µs' },
        { name: 'min', label: 'Lowest', unit: 'µs' },
        { name: 'max', label: 'Highest', unit: 'µs' },
        { name: 'n', label: 'Repetitions' },
      ],
    },
  ],
  curves: [
    {
      name: 'time',
      label: 'Time by block size',
      x: { label: 'Block', unit: 'B', log: true },
      y: { label: 'Time', unit: 'µs', log: true },
      series: SERIES,
    },
  ],
};
