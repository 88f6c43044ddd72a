import { toOne } from '../fabric/drawn.js';
import { defineLab } from '../form/define.js';
import { ecnOrPfcParams } from './params.js';
import { ECN_OR_PFC_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runEcnOrPfc } from './run.js';

export default defineLab({
  id: 'ecn-or-pfc',
  title: 'ECN or PFC',
  question: 'Does ECN or PFC act first?',
  summary:
    'A switch marks from a fixed queue and pauses from a part of its free buffer. You see which comes first as that part grows, and what is left to pause.',
  short: 'ECN or PFC',
  why: 'Marks that come too late leave the work to PAUSE frames.',
  buildsOn: ['fabric-incast'],
  track: 'fabrics',
  order: 22,
  minutes: 5,
  withoutProgram:
    'A program on one machine has no switch. Run verbslab sim incast with --set switch.alpha=0.0625 and --set switch.ecn.kmin_bytes=400000.',
  params: ecnOrPfcParams,
  roles: [],
  fabric: {
    text: '8 hosts send to one: the queue at its port fills, and packets are marked or links paused.',
    tiers: [1],
    hosts: 9,
    flows: toOne(8),
  },
  watch: ['fabric', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'choice',
      id: 'first',
      text: 'Eight hosts send to one. Marks begin at a queue of 400 KB, and ports are paused at 1.3 MB. Which acts first?',
      options: [
        { id: 'pfc', text: 'PFC' },
        { id: 'both', text: 'ECN, but PAUSE frames follow' },
        { id: 'ecn', text: 'ECN, and no PAUSE is sent' },
        { id: 'neither', text: 'Neither' },
      ],
    },
    {
      kind: 'number',
      id: 'left',
      text: 'How many of the PAUSE frames are left with DCQCN?',
      unit: '%',
      figure: 'left',
      unanswered: 'Without congestion control there were none. Choose a smaller buffer.',
    },
  ],
  variations: [
    { name: 'quick', title: 'One seed', params: { seeds: 1 } },
    {
      name: 'early',
      title: 'Marks from 100 KB',
      text: 'They come first, and still too late.',
      params: { kmin: 100, kmax: 400 },
    },
    {
      name: 'large-window',
      title: 'A window of 1 MiB',
      text: 'No window ends the growth.',
      params: { window: 1_048_576 },
    },
    { name: 'sixteen', title: '16 hosts', params: { hosts: 16 } },
    { name: 'nic', title: 'Defaults of NVIDIA’s NICs', params: { congestion: 'dcqcn-nic' } },
  ],
  selfChecks: ECN_OR_PFC_QUESTIONS,
  checks: [
    { id: 'lossless', text: 'No packet is dropped.' },
    { id: 'formula', text: 'The first PAUSE comes at the queue of the formula.' },
    { id: 'below', text: 'Where no PAUSE is sent, the queue is shorter than the formula.' },
  ],
  run: runEcnOrPfc,
});
