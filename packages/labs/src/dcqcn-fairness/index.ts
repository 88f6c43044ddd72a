import { defineLab } from '../form/define.js';
import { dcqcnFairnessParams } from './params.js';
import { DCQCN_FAIRNESS_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runDcqcnFairness } from './run.js';

export default defineLab({
  id: 'dcqcn-fairness',
  title: 'DCQCN',
  question: 'Is DCQCN fair, and how long does that take?',
  summary:
    'Flows join a link one after another. You see their rates and how fair they are, with the constants of the paper, of NICs and of a simulator.',
  short: 'DCQCN fairness',
  why: 'Published results and your NICs use constants that differ by 100 times.',
  buildsOn: ['fabric-incast'],
  track: 'fabrics',
  order: 21,
  minutes: 6,
  withoutProgram:
    'A program on one machine has no switch that marks. Run verbslab sim two-flows for the same fabric, with any other setting.',
  params: dcqcnFairnessParams,
  roles: [],
  fabric: {
    text: 'Three flows share the links between two switches. One after the other joins.',
    tiers: [2, 1],
    hosts: 3,
    flows: [
      [0, 3],
      [1, 4],
      [2, 5],
    ],
  },
  watch: ['fabric', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'fair',
      text: 'A third flow joins two that share a link. After how much time is it fair, with the paper’s constants?',
      unit: 'ms',
      figure: 'fair-paper',
      unanswered: 'The flows did not share fairly within the run. Raise the duration.',
    },
    {
      kind: 'choice',
      id: 'newcomer',
      text: 'With the defaults of NVIDIA’s NICs, what does it get until the end of the run?',
      options: [
        { id: 'less', text: 'Much less than its share' },
        { id: 'fair', text: 'About its share' },
        { id: 'more', text: 'Much more than its share' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick run', params: { duration: 60, seeds: 1 } },
    {
      name: 'long',
      title: 'Three times as long',
      text: 'The flows before the last slowly get their share back.',
      params: { duration: 300, seeds: 1 },
    },
    { name: 'later', title: 'Flows join after 40 ms', params: { join: 40 } },
    { name: 'other-seed', title: 'Other seeds', params: { seed: 100 } },
  ],
  selfChecks: DCQCN_FAIRNESS_QUESTIONS,
  checks: [
    { id: 'lossless', text: 'No packet is dropped.' },
    { id: 'notified', text: 'Every run has CNPs.' },
    { id: 'line', text: 'All flows together never exceed what the link carries.' },
  ],
  run: runDcqcnFairness,
});
