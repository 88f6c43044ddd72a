import { defineLab } from '../form/define.js';
import { lossPoliciesParams } from './params.js';
import { LOSS_POLICIES_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runLossPolicies } from './run.js';

export default defineLab({
  id: 'loss-policies',
  title: 'Loss and three recoveries',
  question: 'How much goodput does each kind of recovery keep, as links lose more?',
  summary:
    'One simulated flow loses 0.01 to 1 % of its packets, with go-back-N, go-back-0 and selective repeat. Formulas stand beside the simulation.',
  short: 'Recovery',
  why: 'The same loss costs little or everything.',
  buildsOn: ['go-back-0-livelock', 'loss-amplification'],
  track: 'fabrics',
  order: 4,
  minutes: 5,
  params: lossPoliciesParams,
  roles: [],
  fabric: {
    text: 'One flow through a switch. Both links lose data packets at random.',
    tiers: [1],
    hosts: 2,
    flows: [[0, 1]],
  },
  watch: ['fabric', 'checks'],
  withoutProgram:
    'A program cannot choose the recovery of its NIC. `verbslab sim loss --set recovery=selective-repeat` simulates one of the settings.',
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'n',
      text: 'A link of 100 Gb/s with a round trip of 13 µs loses 1 % of its packets. What share of its goodput does go-back-N keep?',
      unit: '%',
      figure: 'n',
    },
    {
      kind: 'choice',
      id: 'again',
      text: 'How many packets does it send again per loss?',
      options: [
        { id: 'one', text: 'One' },
        { id: 'few', text: 'Up to ten' },
        { id: 'many', text: 'More than ten' },
      ],
    },
  ],
  variations: [
    {
      name: 'small',
      title: 'Messages of 64 KiB',
      text: 'Go-back-0 has less to repeat.',
      params: { message: 65_536 },
    },
    { name: 'long-timeout', title: 'timeout 12', params: { timeout: 12, seeds: 6 } },
    { name: 'other-seed', title: 'Other seeds', params: { seed: 100 } },
  ],
  selfChecks: LOSS_POLICIES_SELF_CHECKS,
  checks: [
    { id: 'formula', text: 'The goodput agrees with the formulas.' },
    { id: 'order', text: 'Selective repeat keeps most, go-back-0 least.' },
    { id: 'selective', text: 'Selective repeat sends about one packet again per loss.' },
  ],
  run: runLossPolicies,
});
