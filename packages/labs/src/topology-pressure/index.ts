import { defineLab } from '../form/define.js';
import { topologyParams } from './params.js';
import { TOPOLOGY_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runTopology } from './run.js';

export default defineLab({
  id: 'topology-pressure',
  title: 'Topology pressure',
  question: 'Which links fill up: does the fabric decide, or the traffic?',
  summary:
    'Three patterns of traffic cross simulated leaf-spine and rail fabrics with 1, 2 and 4 hosts per uplink. Then an all-to-all runs in three orders.',
  short: 'Topology',
  why: 'The same bytes are fast or slow by where they cross.',
  buildsOn: ['ecmp-collisions', 'all-to-all'],
  track: 'fabrics',
  order: 42,
  minutes: 6,
  params: topologyParams,
  roles: [],
  fabric: {
    text: 'Eight servers with eight NICs each, here in leaf and spine. Each NIC sends.',
    tiers: [8, 8],
    hosts: 8,
  },
  watch: ['fabric', 'checks'],
  withoutProgram: 'One machine has no fabric. `verbslab sim all-to-all` simulates one of the patterns.',
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'all-over',
      text: 'Each switch has 4 hosts per uplink. How many times longer than on a fabric without shared links does an all-to-all take?',
      figure: 'all-over',
    },
    {
      kind: 'choice',
      id: 'rank',
      text: 'NIC 1 of each server sends to NIC 1 of the next, NIC 2 to NIC 2, and so on. Where is that faster?',
      options: [
        { id: 'leaf', text: 'Where each server has its own leaf' },
        { id: 'rail', text: 'Where all NICs 1 share a switch, all NICs 2 another' },
        { id: 'same', text: 'No clear difference' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick run', params: { servers: '4' } },
    { name: 'long', title: '8 MiB per NIC', params: { kibibytes: 8192, seeds: 1 } },
    { name: 'other-seed', title: 'Other seeds', params: { seed: 1000 } },
  ],
  selfChecks: TOPOLOGY_SELF_CHECKS,
  checks: [
    { id: 'whole', text: 'Every flow finishes, and no packet is lost.' },
    { id: 'local', text: 'Traffic below one switch is as fast as ideal, however few uplinks there are.' },
    { id: 'formula', text: 'The times agree with the expected busiest uplink.' },
    {
      id: 'order',
      text: 'All to the same host in turn takes twice as long as staggered, with a far longer queue.',
    },
  ],
  run: runTopology,
});
