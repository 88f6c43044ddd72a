import type { ResultSpecs } from '@verbslab/protocol';
import { figuresOf, timesBySize } from '../collective/declarations.js';

const PACKETS = 'Data packets and ACKs in the captures of all hosts, without retransmitted ones.';
const TIME = 'The slowest host of each round, added up. The wait between rounds is left out.';
const figures = figuresOf({ pairwise: 'pairwise', bruck: 'Bruck' });
const times = timesBySize('Block', {
  label: 'Time of an exchange',
  text: 'Median and range of the repetitions, each the median of nine exchanges.',
  series: { pairwise: 'Pairwise', bruck: 'Bruck' },
});

export const RESULTS: ResultSpecs = {
  figures: [
    ...figures('messages', (by) => `Messages per host, ${by}`),
    ...figures('blocks', (by) => `Blocks that each host sent, ${by}`),
    ...figures('packets', (by) => `Packets of all hosts, ${by}, small blocks`, {
      ...{ unit: 'packets', text: PACKETS },
    }),
    ...figures('small', (by) => `Time, ${by}, small blocks`, { unit: 'µs', text: TIME }),
    ...figures('large', (by) => `Time, ${by}, large blocks`, { unit: 'µs', text: TIME }),
  ],
  tables: [
    {
      name: 'counts',
      label: 'Messages, blocks and packets of one exchange',
      text: 'Small blocks. Counted in the captures, or as posted if there is none. Formula: computed.',
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
      text: '1→3: the block of host 1 for host 3. Others start from their own number.',
      columns: [
        { name: 'algorithm', label: 'Algorithm' },
        { name: 'round', label: 'Round' },
        { name: 'peer', label: 'To host' },
        { name: 'count', label: 'Blocks' },
        { name: 'blocks', label: 'Which' },
      ],
    },
    ...times.tables,
  ],
  curves: times.curves,
};
