import { defineLab } from '../form/define.js';
import { allReduceLossParams } from './params.js';
import { ALL_REDUCE_LOSS_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runAllReduceLoss } from './run.js';

export default defineLab({
  id: 'all-reduce-loss',
  title: 'All-reduce under loss, at scale',
  question: 'What does a lossy fabric cost an all-reduce, from 8 hosts to 512?',
  summary:
    'Rings of hosts run an all-reduce over links that lose 0.01 %, 0.1 % and 1 % of the packets. A formula says how many timeouts they wait for.',
  short: 'Loss at scale',
  why: 'One slow packet of thousands delays all hosts.',
  buildsOn: ['ring-all-reduce', 'ack-timeout'],
  track: 'fabrics',
  order: 44,
  minutes: 7,
  params: allReduceLossParams,
  roles: [],
  fabric: {
    text: 'Each host sends to the next one around a ring, and waits for the one before.',
    tiers: [1],
    hosts: 64,
  },
  watch: ['fabric', 'checks'],
  withoutProgram:
    'One machine has no 64 hosts. `verbslab sim all-reduce --set loss=0.001` simulates one ring.',
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'some',
      text: '0.1 % of the packets are lost. How many times longer does an all-reduce of 64 hosts (by default) take?',
      figure: 'some',
    },
    {
      kind: 'choice',
      id: 'many',
      text: 'And at 1 %?',
      options: [
        { id: 'little', text: 'Less than 1.5 times as long' },
        { id: 'some', text: '1.5 to 5 times' },
        { id: 'much', text: 'More than 5 times' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick run', params: { hosts: '16', seeds: 3 } },
    { name: 'short-timeout', title: 'timeout 7: 524 µs', params: { timeout: 7 } },
    {
      name: 'large',
      title: '8, 32, 128 and 512 hosts',
      text: 'Steps of 16 KiB. It takes a minute.',
      params: { hosts: '512', growth: '4', kibibytes: 16, seeds: 3 },
    },
  ],
  selfChecks: ALL_REDUCE_LOSS_SELF_CHECKS,
  checks: [
    { id: 'whole', text: 'Every all-reduce finishes.' },
    { id: 'timers', text: 'No run takes longer than its timeouts explain.' },
    { id: 'expected', text: 'There are as many timeouts as the formula expects, within a factor of 2.' },
  ],
  run: runAllReduceLoss,
});
