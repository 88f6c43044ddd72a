import type { ResultSpecs } from '@verbslab/protocol';
import { figuresOf, timesBySize } from '../collective/declarations.js';

const TIME = 'Median of the repetitions, each the mean of ten all-reduces at the slowest host.';
const MOST = 'In vectors: 1 is as many bytes as a vector has.';
const PACKETS = 'Of one all-reduce of about 16 KiB, without ACKs and retransmitted packets.';

const figures = figuresOf({ ring: 'ring', tree: 'tree' });
const times = timesBySize('Vector', {
  label: 'Time of an all-reduce',
  text: 'Median and range of the repetitions, each the mean of ten all-reduces.',
  series: { ring: 'Ring', tree: 'Binary tree' },
});

export const RESULTS: ResultSpecs = {
  figures: [
    ...figures('messages', (by) => `Messages of all hosts, ${by}`),
    ...figures('sent', (by) => `Sent by the busiest host, ${by}`, { unit: 'vectors', text: MOST }),
    ...figures('packets', (by) => `Data packets, ${by}`, { unit: 'packets', text: PACKETS }),
    ...figures('small', (by) => `Time, ${by}, small vector`, { unit: 'µs', text: TIME }),
    ...figures('large', (by) => `Time, ${by}, large vector`, { unit: 'µs', text: TIME }),
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
      text: 'Of about 16 KiB, captured if possible. Busiest: vectors of the busiest host.',
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
      text: 'In the same all-reduces. Received: completions of RECVs with an immediate.',
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
      text: '1→2: a message from host 1 to 2. Messages of a step may overlap.',
      columns: [
        { name: 'algorithm', label: 'Algorithm' },
        { name: 'step', label: 'Step' },
        { name: 'what', label: 'Then the receiver' },
        { name: 'sends', label: 'Messages' },
        { name: 'each', label: 'Vectors per message' },
      ],
    },
    ...times.tables,
  ],
  curves: times.curves,
};
