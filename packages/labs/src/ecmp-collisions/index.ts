import { defineLab } from '../form/define.js';
import { ecmpParams } from './params.js';
import { ECMP_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runEcmp } from './run.js';

export default defineLab({
  id: 'ecmp-collisions',
  title: 'ECMP collisions',
  question: 'Eight hosts send over eight uplinks. Why are some uplinks idle?',
  summary:
    'Pairs of hosts send across simulated leaf and spine switches with 1 to 16 QPs per pair, then across two tiers with equal and with different hash seeds.',
  short: 'ECMP',
  why: 'A collective ends when its busiest path does.',
  buildsOn: ['ring-all-reduce', 'header-explorer'],
  track: 'fabrics',
  order: 40,
  minutes: 6,
  params: ecmpParams,
  roles: [],
  fabric: {
    text: '8 hosts send to 8 others. A hash chooses one of 8 uplinks for each flow.',
    tiers: [2, 8],
    hosts: 8,
    flows: Array.from({ length: 8 }, (_, i): [number, number] => [i, 8 + i]),
  },
  watch: ['fabric', 'checks'],
  withoutProgram: 'One machine has no uplinks. `verbslab sim permutation` runs a simulation of this kind.',
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'used',
      text: 'Each of 8 flows picks one of 8 uplinks by a hash (by default). What share of the uplinks is in use, on average?',
      unit: '%',
      figure: 'used',
    },
    {
      kind: 'choice',
      id: 'polarized',
      text: 'Behind a second tier of switches with the same hash, do 16 QPs per pair help as much as with different hashes?',
      options: [
        { id: 'yes', text: 'Yes' },
        { id: 'half', text: 'Somewhat less' },
        { id: 'no', text: 'No: it takes more than twice as long' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick run', params: { qps: '4', seeds: 4 } },
    { name: 'sixteen', title: '16 uplinks', params: { uplinks: 16 } },
    { name: 'other-seed', title: 'Other seeds', params: { seed: 1000 } },
  ],
  selfChecks: ECMP_SELF_CHECKS,
  checks: [
    { id: 'whole', text: 'Every flow finishes, and no packet is lost.' },
    { id: 'used', text: 'The share of uplinks in use agrees with 1 − (1 − 1/M)^M.' },
    { id: 'formula', text: 'The time of the slowest pair agrees with the expected busiest path.' },
    { id: 'polarized', text: 'With one seed in two tiers, four of sixteen paths carry everything.' },
  ],
  run: runEcmp,
});
