import { toOne } from '../fabric/drawn.js';
import { defineLab } from '../form/define.js';
import { microburstParams } from './params.js';
import { MICROBURST_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runMicroburst } from './run.js';

export default defineLab({
  id: 'microburst',
  title: 'Microbursts',
  question: 'Why does a link that is used to 8 % drop packets?',
  summary:
    'Many hosts answer one at the same moment, every millisecond. You see the queue of a burst, and what averages and buffers make of it.',
  short: 'Microbursts',
  why: 'Monitoring shows a quiet network while its queues overflow.',
  buildsOn: ['averages-hide-spikes', 'fabric-incast'],
  track: 'fabrics',
  order: 26,
  minutes: 5,
  withoutProgram:
    'A program on one machine has no switch. verbslab sim runs a scenario from a file: docs/simulator.md describes it.',
  params: microburstParams,
  roles: [],
  fabric: {
    text: '16 hosts answer one at once, every millisecond.',
    tiers: [1],
    hosts: 17,
    flows: toOne(16),
  },
  watch: ['fabric', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'peak',
      text: '16 hosts send 64 KiB each to one at the same moment. How long does the queue get?',
      unit: 'KB',
      figure: 'peak',
    },
    {
      kind: 'choice',
      id: 'dcqcn',
      text: 'A small buffer drops packets of the bursts. How many of these drops does DCQCN prevent?',
      options: [
        { id: 'nothing', text: 'There are none to prevent' },
        { id: 'hardly', text: 'Hardly any' },
        { id: 'some', text: 'At least a third' },
        { id: 'nearly', text: 'Nearly all' },
      ],
    },
  ],
  variations: [
    { name: 'thirty-two', title: '32 hosts', params: { hosts: 32 } },
    {
      name: 'short',
      title: 'Answers of 16 KiB',
      text: 'A buffer of 1 MB holds these bursts.',
      params: { bytes: 16_384 },
    },
    {
      name: 'rare',
      title: 'Every 5 ms',
      text: 'The mean falls, the queue does not.',
      params: { period: 5000 },
    },
    { name: 'tiny', title: 'A buffer of 500 KB', params: { small: 500 } },
  ],
  selfChecks: MICROBURST_QUESTIONS,
  checks: [
    { id: 'peak', text: 'The longest queue is that of the formula.' },
    { id: 'lossless', text: 'The large buffer and PFC drop nothing.' },
    { id: 'arrived', text: 'With the large buffer every answer arrives before the end.' },
  ],
  run: runMicroburst,
});
