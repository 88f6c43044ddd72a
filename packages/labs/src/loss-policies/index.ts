import { defineLab } from '../form/define.js';
import { LOSS_COUNTERS } from '../loss/intended.js';
import { RECOVERIES } from './formula.js';
import { lossPoliciesParams } from './params.js';
import { LOSS_POLICIES_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runLossPolicies } from './run.js';

export default defineLab({
  id: 'loss-policies',
  title: 'Loss and three recoveries',
  question: 'How much goodput does each kind of recovery keep, as links lose more?',
  summary:
    'Flows lose 0.01 to 1 % of their packets, with go-back-N, go-back-0 and selective repeat: simulated at 100 Gb/s, on the live device over a slowed path, and by formulas.',
  short: 'Recovery',
  why: 'The same loss costs little or everything.',
  buildsOn: ['go-back-0-livelock', 'loss-amplification'],
  track: 'fabrics',
  order: 4,
  minutes: 5,
  params: lossPoliciesParams,
  roles: [
    {
      name: 'client',
      title: 'Client',
      text: 'One for each recovery. Its device loses packets.',
      count: RECOVERIES.length,
    },
    { name: 'server', title: 'Server', text: 'Registers the memory.' },
  ],
  needs: ['faults', 'counters', 'policies'],
  intends: LOSS_COUNTERS,
  fabric: {
    text: 'Simulated: one flow through a switch, whose links lose data packets at random. Live: the same over a slowed path.',
    tiers: [1],
    hosts: 2,
    flows: [[0, 1]],
  },
  watch: ['fabric', 'checks', 'counters'],
  withoutProgram:
    'A program cannot choose the recovery of its NIC. `verbslab sim loss --set recovery=selective-repeat` simulates one of the settings.',
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'n',
      text: 'A link of 100 Gb/s with a round trip of 32 µs loses 1 % of its packets. What share of its goodput does go-back-N keep?',
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
    {
      name: 'quick',
      title: 'Quick run',
      text: 'Few losses on the live device.',
      params: { live: 0.5, seeds: 1 },
    },
    { name: 'long-timeout', title: 'Timeout 9', params: { timeout: 9, seeds: 6, live: 6 } },
    { name: 'other-seed', title: 'Other seeds', params: { seed: 100 } },
  ],
  selfChecks: LOSS_POLICIES_SELF_CHECKS,
  checks: [
    { id: 'formula', text: 'The simulated goodput agrees with the formulas.' },
    { id: 'live', text: 'The live goodput agrees with them, as far as chance allows.' },
    { id: 'order', text: 'Selective repeat keeps most, go-back-0 least.' },
    { id: 'selective', text: 'Selective repeat sends about one packet again per loss.' },
  ],
  run: runLossPolicies,
});
