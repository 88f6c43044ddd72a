import { toOne } from '../fabric/drawn.js';
import { defineLab } from '../form/define.js';
import { fabricIncastParams } from './params.js';
import { FABRIC_INCAST_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runFabricIncast } from './run.js';
import { SETTINGS } from './scenario.js';

export default defineLab({
  id: 'fabric-incast',
  title: 'Incast, ECN and DCQCN',
  question: '32 hosts answer one at once. What do ECN and DCQCN change?',
  summary:
    'Many hosts send to one through a switch that drops or pauses, with and without congestion control. You see the queue, and how long the answers take.',
  short: 'Incast and ECN',
  why: 'Each answer of many shards, and each gradient, arrives like this.',
  buildsOn: ['incast', 'loss-cost'],
  track: 'fabrics',
  order: 20,
  minutes: 6,
  withoutProgram:
    'A program on one machine has no switch. Run verbslab sim incast for the same fabric, with any other setting.',
  params: fabricIncastParams,
  roles: [],
  fabric: { text: '32 hosts answer one at the same moment.', tiers: [1], hosts: 33, flows: toOne(32) },
  watch: ['fabric', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'peak-left',
      text: 'How much of the longest queue is left with congestion control?',
      unit: '%',
      figure: 'peak-left',
    },
    {
      kind: 'choice',
      id: 'soonest',
      text: 'With which switch do the slowest answers come soonest?',
      options: SETTINGS.map(({ name, pfc, cc }) => ({
        id: name,
        text: `It ${pfc ? 'pauses' : 'drops'}${cc ? ', with congestion control' : ''}`,
      })),
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick run', params: { hosts: 16, bytes: 2_097_152, seeds: 1 } },
    {
      name: 'short',
      title: 'Answers of 1 MiB',
      text: 'Half of it is sent before the first CNP.',
      params: { bytes: 1_048_576 },
    },
    {
      name: 'nic',
      title: 'Defaults of NVIDIA’s NICs',
      params: { congestion: 'dcqcn-nic' },
    },
    {
      name: 'swift',
      title: 'Swift',
      text: 'It goes by delay, without marks.',
      params: { congestion: 'swift' },
    },
    { name: 'deep', title: 'A buffer of 12 MB', params: { buffer: 12_000 } },
    { name: 'eight', title: 'Eight hosts', params: { hosts: 8 } },
  ],
  selfChecks: FABRIC_INCAST_QUESTIONS,
  checks: [
    { id: 'lossless', text: 'With PFC no packet is dropped.' },
    { id: 'answered', text: 'Every answer arrives.' },
    { id: 'repaired', text: 'At least as many packets are sent again as were dropped.' },
    { id: 'repeatable', text: 'The same seed gives the same packets.' },
  ],
  run: runFabricIncast,
});
