import { defineLab } from '../form/define.js';
import { pfcDeadlockParams } from './params.js';
import { PFC_DEADLOCK_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runPfcDeadlock } from './run.js';

export default defineLab({
  id: 'pfc-deadlock',
  title: 'Deadlock',
  question: 'Can a lossless network stop forever?',
  summary:
    'Hosts around a simulated ring of switches send two switches on, at growing rates, with PFC. Then connections try a watchdog, loss, and leaf and spine.',
  short: 'Deadlock',
  why: 'PFC can stop a network, and nothing in it starts it again.',
  buildsOn: ['acknowledgments', 'ack-timeout'],
  track: 'fabrics',
  order: 46,
  minutes: 6,
  params: pfcDeadlockParams,
  roles: [],
  fabric: {
    text: 'Each host sends to the host two switches on, and all packets go one way round.',
    tiers: [4],
    ring: true,
    hosts: 1,
    flows: [
      [0, 2],
      [1, 3],
      [2, 0],
      [3, 1],
    ],
  },
  watch: ['fabric', 'checks'],
  withoutProgram:
    'One machine has no ring of switches. `verbslab sim FILE` simulates a ring: see topology `ring`.',
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'from',
      text: 'Each host sends over two links of a ring, all one way round. Links run at 100 Gb/s. From which rate per host does the ring deadlock?',
      unit: 'Gb/s',
      figure: 'from',
    },
    {
      kind: 'choice',
      id: 'watchdog',
      text: 'A watchdog drops what waits in a queue that is paused for too long. How much of the 50 Gb/s that the ring has for each host gets through then?',
      options: [
        { id: 'all', text: 'Nearly all' },
        { id: 'part', text: 'A part: the ring deadlocks again and again' },
        { id: 'nothing', text: 'Nothing' },
      ],
    },
  ],
  variations: [
    { name: 'six', title: 'Six switches', params: { switches: 6 } },
    { name: 'quick-dog', title: 'A watchdog of 0.1 ms', params: { detect: 0.1 } },
    { name: 'late', title: 'XOFF at 200 KB', text: 'Pauses come later.', params: { xoff: 200 } },
  ],
  selfChecks: PFC_DEADLOCK_SELF_CHECKS,
  checks: [
    { id: 'limit', text: 'Packets stay stuck exactly where two flows exceed a link.' },
    { id: 'pause', text: 'The first PAUSE comes when the formula says.' },
    { id: 'stands', text: 'At the end, the ring with PFC is paused and delivers nothing.' },
    { id: 'tree', text: 'Over leaf and spine, PFC loses nothing and does not stop.' },
  ],
  run: runPfcDeadlock,
});
