import { defineLab } from '../form/define.js';
import { pfcVictimParams } from './params.js';
import { PFC_VICTIM_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runPfcVictim } from './run.js';

export default defineLab({
  id: 'pfc-victim',
  title: 'PFC is unfair',
  question: 'Which flows does a PAUSE stop, and how many of them are innocent?',
  summary:
    'PAUSE stops a link, not a flow. You see what flows that share a port get, and a victim that only shares an uplink with others.',
  short: 'PFC victims',
  why: 'A slow flow may have nothing to do with the congestion.',
  buildsOn: ['fabric-incast'],
  track: 'fabrics',
  order: 23,
  minutes: 5,
  withoutProgram:
    'A program on one machine has no switch. verbslab sim runs a scenario from a file: docs/simulator.md describes it.',
  params: pfcVictimParams,
  roles: [],
  fabric: {
    text: 'Eight flows meet at one host. The flow to the right-hand leaf shares only an uplink with four of them.',
    tiers: [4, 1],
    hosts: 5,
    flows: [...[0, 1, 2, 3, 5, 6, 7, 8].map((from): [number, number] => [from, 10]), [4, 15]],
  },
  watch: ['fabric', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'victim',
      text: 'Four flows go to a busy host. Yours shares only their uplink, and could have 49 Gb/s. What does it get with PFC?',
      unit: 'Gb/s',
      figure: 'victim',
    },
    {
      kind: 'choice',
      id: 'alone',
      text: 'One flow comes in by one port, four by another, all for the same link. What does the first get with PFC?',
      options: [
        { id: 'share', text: 'A fifth of the link' },
        { id: 'half', text: 'Half of the link' },
        { id: 'all', text: 'Nearly the whole link' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick run', params: { seeds: 1, duration: 40 } },
    { name: 'eight', title: 'Up to eight flows', params: { most: 8, seeds: 1 } },
    {
      name: 'swift',
      title: 'Swift',
      text: 'It goes by delay, without marks.',
      params: { congestion: 'swift' },
    },
    {
      name: 'longer',
      title: 'Four times as long',
      text: 'DCQCN has the time to settle.',
      params: { duration: 120, seeds: 1 },
    },
  ],
  selfChecks: PFC_VICTIM_QUESTIONS,
  checks: [
    { id: 'lossless', text: 'With PFC no packet is dropped.' },
    { id: 'paused', text: 'PFC acts in every setting without control.' },
    { id: 'formula', text: 'Shared ports and the victim get what the formula says.' },
  ],
  run: runPfcVictim,
});
