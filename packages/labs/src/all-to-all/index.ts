import { faster } from '../collective/declarations.js';
import { defineLab } from '../form/define.js';
import { allToAllParams } from './params.js';
import { ALL_TO_ALL_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runAllToAll } from './run.js';

const FASTER = faster({ pairwise: 'Pairwise exchange', bruck: 'Bruck’s algorithm' });

export default defineLab({
  id: 'all-to-all',
  title: 'All-to-all',
  question:
    'How do many hosts exchange a block with each other: in many small messages, or in a few larger ones?',
  summary:
    'Every host has a block for every other host. First each block goes straight to its host, in a message of its own. Then Bruck’s algorithm passes blocks on from host to host in fewer, larger messages. You see messages, bytes, packets and time of both.',
  track: 'many-hosts',
  order: 1,
  minutes: 8,
  params: allToAllParams,
  roles: [
    {
      name: 'host',
      title: 'Host',
      text: 'Sends a block to every other host.',
      count: { param: 'hosts' },
    },
  ],
  watch: ['packets', 'verbs', 'problems', 'counters', 'checks'],
  wants: ['tap', 'counters'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'messages',
      text: 'Pairwise, each host sends one message to every other host. How many messages does each host send with Bruck’s algorithm?',
      figure: 'messages-bruck',
    },
    { kind: 'choice', id: 'small', text: 'Which one is faster with small blocks?', options: FASTER },
    { kind: 'choice', id: 'large', text: 'Which one is faster with large blocks?', options: FASTER },
  ],
  variations: [
    {
      name: 'eight',
      title: 'Eight hosts',
      text: 'Three messages of each host instead of seven.',
      params: { hosts: 8 },
    },
    { name: 'two', title: 'Two hosts', text: 'Both algorithms do the same.', params: { hosts: 2 } },
    {
      name: 'five',
      title: 'Five hosts',
      text: 'Not a power of two: the last round moves fewer blocks.',
      params: { hosts: 5 },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: ALL_TO_ALL_QUESTIONS,
  checks: [
    { id: 'data', text: 'Every block arrives at its host, byte for byte.' },
    { id: 'messages', text: 'Each host sends as many messages and blocks as the formulas say.' },
    { id: 'packets', text: 'The captures have the data packets of the messages and one ACK per message.' },
    { id: 'counters', text: 'The devices count as many sent packets as the captures have.' },
  ],
  run: runAllToAll,
});
