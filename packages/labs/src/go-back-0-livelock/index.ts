import { defineLab } from '../form/define.js';
import { livelockParams } from './params.js';
import { LIVELOCK_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runLivelock } from './run.js';

export default defineLab({
  id: 'go-back-0-livelock',
  title: 'The go-back-0 livelock',
  question: 'Why does a switch that loses one packet in 256 stop a 4 MB transfer forever?',
  summary:
    'Messages of growing size cross a simulated link that loses one packet in 256, once with go-back-0 and once with go-back-N. You see the goodput beside a formula.',
  short: 'Livelock',
  why: 'A link can be full and deliver nothing.',
  buildsOn: ['acknowledgments', 'loss-cost'],
  track: 'fabrics',
  order: 2,
  minutes: 5,
  params: livelockParams,
  roles: [],
  fabric: {
    text: 'One flow over a link that loses one data packet in every 256.',
    tiers: [],
    hosts: 2,
    flows: [[0, 1]],
  },
  watch: ['fabric', 'checks'],
  withoutProgram:
    'No device lets a program choose go-back-0. `verbslab sim go-back-0` runs one of the simulations.',
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'zero',
      text: 'Go-back-0 resends a message from its first packet. What is the goodput of the largest messages, on a link of 100 Gb/s?',
      unit: 'Gb/s',
      figure: 'zero',
    },
    {
      kind: 'choice',
      id: 'link',
      text: 'How busy is the link meanwhile?',
      options: [
        { id: 'idle', text: 'Mostly idle' },
        { id: 'full', text: 'Full' },
      ],
    },
  ],
  variations: [
    {
      name: 'mtu-1024',
      title: 'Path MTU 1024',
      text: 'A message has four times as many packets.',
      params: { mtu: '1024' },
    },
    {
      name: 'rare',
      title: 'One packet in 2,048',
      text: 'The limit moves up.',
      params: { every: 2048, duration: 20 },
    },
    {
      name: 'short',
      title: 'Messages of at most 256 KiB',
      text: 'All of them fit between two losses.',
      params: { largest: 256 * 1024 },
    },
  ],
  selfChecks: LIVELOCK_SELF_CHECKS,
  checks: [
    { id: 'stops', text: 'With go-back-0, no message above the limit completes.' },
    { id: 'recovers', text: 'Go-back-N delivers at every size, and is never slower.' },
    { id: 'formula', text: 'The simulation agrees with the formula within 5 %.' },
  ],
  run: runLivelock,
});
