import { toOne } from '../fabric/drawn.js';
import { defineLab } from '../form/define.js';
import { pfcHeadroomParams } from './params.js';
import { PFC_HEADROOM_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runPfcHeadroom } from './run.js';

export default defineLab({
  id: 'pfc-headroom',
  title: 'Headroom and cable length',
  question: 'How much buffer does a lossless port need after its PAUSE?',
  summary:
    'Packets still arrive after a port has sent a PAUSE. You see how much room they need by the length of the cable, and what is lost with less.',
  short: 'Headroom',
  why: 'With too little headroom a lossless network loses packets.',
  buildsOn: ['pfc-victim'],
  track: 'fabrics',
  order: 24,
  minutes: 4,
  withoutProgram:
    'A program on one machine has no switch. Run verbslab sim incast with --set switch.headroom_bytes=20000 --set switch.xoff_bytes=60000.',
  params: pfcHeadroomParams,
  roles: [],
  fabric: {
    text: '8 hosts send to one. The switch pauses them, and what is still on the cables arrives.',
    tiers: [1],
    hosts: 9,
    flows: toOne(8),
  },
  watch: ['fabric', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'needed',
      text: 'How much headroom does a port of 100 Gb/s need with 100 m of cable?',
      unit: 'KB',
      figure: 'needed',
    },
    {
      kind: 'choice',
      id: 'faster',
      text: 'The links become four times as fast. What becomes of the headroom?',
      options: [
        { id: 'same', text: 'About the same' },
        { id: 'twice', text: 'About twice as much' },
        { id: 'four', text: 'More than three times as much' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'One seed', params: { seeds: 1 } },
    { name: 'long', title: '1 km of cable', params: { length: 1000 } },
    { name: 'prompt', title: 'A prompt peer', text: 'It stops after 100 ns.', params: { reaction: 100 } },
    { name: 'slow', title: 'Links of 25 Gb/s', params: { rate: 25 } },
  ],
  selfChecks: PFC_HEADROOM_QUESTIONS,
  checks: [
    { id: 'enough', text: 'With the headroom of the formula no packet is lost, at any length.' },
    { id: 'lossy', text: 'With half of it packets are lost.' },
  ],
  run: runPfcHeadroom,
});
