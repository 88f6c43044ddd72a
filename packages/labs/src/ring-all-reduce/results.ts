import type { ResultSpecs } from '@verbslab/protocol';
import { figuresOf, timesBySize } from '../collective/declarations.js';

const TIME =
  'Median of the repetitions. Each is the mean of ten all-reduces, from the end of one to the end of the next at the slowest host.';
const MOST = 'In vectors: 1 is as many bytes as a vector has.';
const PACKETS =
  'Of one all-reduce of a vector of about 16 KiB, in the captures of all hosts, without ACKs and retransmitted packets.';

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
      text: 'Of a vector of about 16 KiB. Counted in the captures, if there are any; messages as posted if not. Formula: computed. Busiest: vectors sent by the host that sent most.',
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
      text: '1→2 is a message from host 1 to host 2. All messages of a step may be under way at once.',
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
