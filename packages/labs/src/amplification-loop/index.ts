import { toOne } from '../fabric/drawn.js';
import { defineLab } from '../form/define.js';
import { amplificationLoopParams } from './params.js';
import { AMPLIFICATION_LOOP_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runAmplificationLoop } from './run.js';

export default defineLab({
  id: 'amplification-loop',
  title: 'The amplification loop',
  question: 'Can a network stay congested after the cause is gone?',
  summary:
    'Hosts write to each other at random over a simulated switch that drops. For one millisecond all links are slow. You see whether the network recovers.',
  short: 'Feedback loop',
  why: 'A storm can outlive what started it.',
  buildsOn: ['loss-amplification', 'ack-timeout'],
  track: 'fabrics',
  order: 8,
  minutes: 6,
  params: amplificationLoopParams,
  roles: [],
  fabric: {
    text: '16 hosts send to one; then all hosts store blocks on each other.',
    tiers: [1],
    hosts: 17,
    flows: toOne(16),
  },
  watch: ['fabric', 'checks'],
  withoutProgram: 'One machine has no switch. `verbslab sim incast` simulates one of the settings.',
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'stuck',
      text: 'Links carry 70 % of what they could, and nothing is lost. Then they are slow for 1 ms. How many packets does the network send per packet needed, 8 ms later (by default)?',
      figure: 'stuck',
    },
    {
      kind: 'choice',
      id: 'after',
      text: 'And does it recover?',
      options: [
        { id: 'heals', text: 'Yes, within milliseconds' },
        { id: 'slowly', text: 'Slowly' },
        { id: 'stays', text: 'No' },
      ],
    },
  ],
  variations: [
    { name: 'light', title: '50 % load', params: { load: 50 } },
    { name: 'deep', title: 'Three times the buffer', params: { buffer: 675 } },
    { name: 'other-seed', title: 'Another seed', params: { seed: 5 } },
  ],
  selfChecks: AMPLIFICATION_LOOP_SELF_CHECKS,
  checks: [
    {
      id: 'threshold',
      text: 'One receiver: packets are dropped exactly where all windows exceed buffer and links.',
    },
    { id: 'multiplied', text: 'At least as many packets are sent again as were dropped.' },
    { id: 'alive', text: 'No connection fails.' },
  ],
  run: runAmplificationLoop,
});
