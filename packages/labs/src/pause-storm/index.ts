import { defineLab } from '../form/define.js';
import { pauseStormParams } from './params.js';
import { PAUSE_STORM_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runPauseStorm } from './run.js';

export default defineLab({
  id: 'pause-storm',
  title: 'Pause storms',
  question: 'One host stops reading. Who else stops?',
  summary:
    'A NIC takes less than its link brings, and then one takes nothing. You see how PAUSE spreads, and what a watchdog, DCQCN and Swift change.',
  short: 'Pause storm',
  why: 'One broken host can stop a whole lossless network.',
  buildsOn: ['pfc-victim'],
  track: 'fabrics',
  order: 25,
  minutes: 5,
  withoutProgram:
    'A program on one machine has no switch. Run verbslab sim slow-receiver for the first part, with any other setting.',
  params: pauseStormParams,
  roles: [],
  fabric: {
    text: 'Each host sends to every other. Then the first one takes nothing any more.',
    tiers: [3, 2],
    hosts: 4,
  },
  watch: ['fabric', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'left',
      text: 'One of 12 hosts stops reading. How much of the goodput among all others is left 5 ms later?',
      unit: '%',
      figure: 'left-pfc',
    },
    {
      kind: 'choice',
      id: 'dcqcn',
      text: 'How much is left with DCQCN?',
      options: [
        { id: 'none', text: 'Nearly nothing' },
        { id: 'some', text: 'Less than half' },
        { id: 'most', text: 'More than half' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick run', params: { seeds: 1, hosts: 2 } },
    {
      name: 'fits',
      title: 'Windows that fit the buffers',
      text: 'What the host does not take waits where it blocks no other traffic.',
      params: { window: 262_144, buffer: 12_000 },
    },
    { name: 'patient', title: 'A watchdog of 3 ms', params: { detect: 3 } },
    { name: 'small-steps', title: 'A hysteresis of 64 KB', params: { hysteresis: 64 } },
  ],
  selfChecks: PAUSE_STORM_QUESTIONS,
  checks: [
    { id: 'cycle', text: 'A slow receiver sends as many PAUSE frames as the formula says.' },
    { id: 'lossless', text: 'Without the watchdog no packet is dropped.' },
    { id: 'watchdog', text: 'The watchdog gives up the queue of the host that stopped.' },
  ],
  run: runPauseStorm,
});
