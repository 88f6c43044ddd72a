import { faster } from '../collective/declarations.js';
import { defineLab } from '../form/define.js';
import { ringAllReduceParams } from './params.js';
import { RING_ALL_REDUCE_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runRingAllReduce } from './run.js';

const FASTER = faster({ ring: 'The ring', tree: 'The binary tree' });

export default defineLab({
  id: 'ring-all-reduce',
  title: 'Ring all-reduce',
  question: 'How do hosts add up their vectors so that every host gets the sum?',
  summary:
    'In a ring, each host passes parts of its vector to its neighbor, which adds. In a binary tree, whole vectors go to host 1 and the sum returns.',
  short: 'Ring all-reduce',
  why: 'Data-parallel training does it in every step.',
  buildsOn: ['write-imm'],
  picture: { sample: 'write-imm', focus: ['client.memory', 'wire', 'server.memory'] },
  track: 'many-hosts',
  order: 2,
  minutes: 8,
  params: ringAllReduceParams,
  roles: [
    {
      name: 'host',
      title: 'Host',
      text: 'Has a vector and needs the sum of all vectors.',
      count: { param: 'hosts' },
    },
  ],
  watch: ['packets', 'problems', 'counters', 'checks'],
  wants: ['tap', 'counters'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'sent',
      text: 'How much does each host send in the ring, in vectors?',
      unit: 'vectors',
      figure: 'sent-ring',
    },
    { kind: 'choice', id: 'small', text: 'Which one is faster with the small vector?', options: FASTER },
    { kind: 'choice', id: 'large', text: 'Which one is faster with the large vector?', options: FASTER },
  ],
  variations: [
    {
      name: 'eight',
      title: 'Eight hosts',
      params: { hosts: 8 },
    },
    {
      name: 'two',
      title: 'Two hosts',
      text: 'Each host sends one vector.',
      params: { hosts: 2 },
    },
    {
      name: 'five',
      title: 'Five hosts',
      text: 'The tree is not full.',
      params: { hosts: 5 },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: RING_ALL_REDUCE_QUESTIONS,
  checks: [
    { id: 'sums', text: 'Every host has the sum of all vectors, bit for bit.' },
    { id: 'messages', text: 'Messages and bytes are those of the formulas.' },
    { id: 'packets', text: 'The captures have the data packets that the messages need.' },
    { id: 'counters', text: 'The devices count as many sent packets as the captures have.' },
  ],
  run: runRingAllReduce,
});
