import type { ResultSpecs } from '@verbslab/protocol';

const TIME =
  'Median of the repetitions. Each is the mean of ten all-reduces, from the end of one to the end of the next at the slowest host.';
const MOST = 'In vectors: 1 is as many bytes as a vector has.';
const PACKETS =
  'Of one all-reduce of a vector of 16 KiB, in the captures of all hosts, without ACKs and retransmitted packets.';

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'messages-ring', label: 'Messages of all hosts, ring' },
    { name: 'messages-tree', label: 'Messages of all hosts, tree' },
    { name: 'sent-ring', label: 'Sent by the busiest host, ring', unit: 'vectors', text: MOST },
    { name: 'sent-tree', label: 'Sent by the busiest host, tree', unit: 'vectors', text: MOST },
    { name: 'packets-ring', label: 'Data packets, ring', unit: 'packets', text: PACKETS },
    { name: 'packets-tree', label: 'Data packets, tree', unit: 'packets', text: PACKETS },
    { name: 'small-ring', label: 'Time, ring, small vector', unit: 'µs', text: TIME },
    { name: 'small-tree', label: 'Time, tree, small vector', unit: 'µs', text: TIME },
    { name: 'large-ring', label: 'Time, ring, large vector', unit: 'µs', text: TIME },
    { name: 'large-tree', label: 'Time, tree, large vector', unit: 'µs', text: TIME },
    {
      name: 'differ',
      label: 'Elements whose sum differs between ring and tree',
      unit: '%',
      text: 'Of the large vector, bit for bit.',
    },
  ],
  tables: [
    {
      name: 'counts',
      label: 'Messages and packets of one all-reduce',
      text: 'Of a vector of 16 KiB. Counted in the captures, if there are any; messages as posted if not. Formula: computed. Busiest: vectors sent by the host that sent most.',
      columns: [
        { name: 'algorithm', label: 'Algorithm' },
        { name: 'steps', label: 'Steps, formula' },
        { name: 'messages', label: 'Messages' },
        { name: 'messagesFormula', label: 'Messages, formula' },
        { name: 'most', label: 'Busiest' },
        { name: 'mostFormula', label: 'Busiest, formula' },
        { name: 'packets', label: 'Data packets' },
        { name: 'packetsFormula', label: 'Data packets, formula' },
        { name: 'acks', label: 'ACKs' },
        { name: 'again', label: 'Retransmitted' },
        { name: 'counted', label: 'All packets by the counters' },
      ],
    },
    {
      name: 'hosts',
      label: 'What each host sends and gets',
      text: 'In the same all-reduces of 16 KiB. Received: completions of RECVs with an immediate.',
      columns: [
        { name: 'algorithm', label: 'Algorithm' },
        { name: 'host', label: 'Host' },
        { name: 'sent', label: 'Messages sent' },
        { name: 'received', label: 'Messages received' },
        { name: 'bytes', label: 'Payload sent', unit: 'B' },
        { name: 'vectors', label: 'In vectors' },
      ],
    },
    {
      name: 'steps',
      label: 'Steps of one all-reduce',
      text: '1→2 is a message from host 1 to host 2. All messages of a step may be under way at once.',
      columns: [
        { name: 'algorithm', label: 'Algorithm' },
        { name: 'step', label: 'Step' },
        { name: 'what', label: 'Then the receiver' },
        { name: 'sends', label: 'Messages' },
        { name: 'each', label: 'Vectors per message' },
      ],
    },
    {
      name: 'times',
      label: 'Time of an all-reduce',
      text: 'Median and range of the repetitions, each the mean of ten all-reduces.',
      columns: [
        { name: 'size', label: 'Vector', unit: 'B' },
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
      label: 'Time by vector size',
      x: { label: 'Vector', unit: 'B', log: true },
      y: { label: 'Time', unit: 'µs', log: true },
      series: [
        { name: 'ring', label: 'Ring' },
        { name: 'tree', label: 'Binary tree' },
      ],
    },
  ],
};
