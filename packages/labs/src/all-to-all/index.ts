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
  question: 'How do many hosts exchange blocks: in many small messages, or in a few larger ones?',
  summary:
    'Every host has a block for every other host. Each block goes straight there; then Bruck’s algorithm passes blocks on in fewer, larger messages.',
  short: 'All-to-all',
  why: 'Fewer messages or fewer bytes: the size of a block decides.',
  buildsOn: ['write-read', 'post-lists'],
  picture: { sample: 'many-writes', focus: ['client.memory', 'client.sq', 'wire', 'server.memory'] },
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
      text: 'Pairwise, each host sends a message to every other. How many does it send with Bruck’s algorithm?',
      figure: 'messages-bruck',
    },
    { kind: 'choice', id: 'small', text: 'Which one is faster with small blocks?', options: FASTER },
    { kind: 'choice', id: 'large', text: 'Which one is faster with large blocks?', options: FASTER },
  ],
  variations: [
    {
      name: 'eight',
      title: 'Eight hosts',
      text: 'Three messages per host instead of seven.',
      params: { hosts: 8 },
    },
    { name: 'two', title: 'Two hosts', params: { hosts: 2 } },
    {
      name: 'five',
      title: 'Five hosts',
      params: { hosts: 5 },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: ALL_TO_ALL_QUESTIONS,
  checks: [
    { id: 'data', text: 'Every block arrives at its host, byte for byte.' },
    { id: 'messages', text: 'Messages and blocks per host match the formulas.' },
    { id: 'packets', text: 'Each message has its data packets and one ACK in the captures.' },
    { id: 'counters', text: 'Counters and captures agree on the packets sent.' },
  ],
  run: runAllToAll,
});
