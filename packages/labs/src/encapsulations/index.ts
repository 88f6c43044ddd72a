import { defineLab } from '../form/define.js';
import { encapsulationsParams } from './params.js';
import { ENCAPSULATIONS_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runEncapsulations } from './run.js';

export default defineLab({
  id: 'encapsulations',
  title: 'Encapsulations',
  question: 'What does the same WRITE look like in InfiniBand, RoCE v1, RoCE v2 and iWARP?',
  summary:
    'The client’s captured WRITE is taken apart header by header, and composed again in three other encapsulations. You see which network each needs.',
  short: 'Encapsulations',
  why: 'It decides which switches and routers you need.',
  buildsOn: ['segmentation'],
  picture: { sample: 'write', focus: ['wire'] },
  track: 'wire',
  order: 4,
  minutes: 7,
  params: encapsulationsParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends one WRITE, and captures it.' },
    { name: 'server', title: 'Server', text: 'Registers the memory.' },
  ],
  watch: ['packets', 'verbs', 'checks'],
  needs: ['tap'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'roce-v2',
      text: 'How long is the Ethernet frame of a WRITE of 32 B (by default) in RoCE v2, with FCS?',
      unit: 'B',
      figure: 'roce-v2',
    },
    {
      kind: 'choice',
      id: 'largest',
      text: 'Which encapsulation takes the most bytes?',
      options: [
        { id: 'infiniband', text: 'InfiniBand' },
        { id: 'roce-v1', text: 'RoCE v1' },
        { id: 'roce-v2', text: 'RoCE v2' },
        { id: 'iwarp', text: 'iWARP' },
      ],
    },
  ],
  variations: [
    { name: 'padded', title: '30 B of payload', params: { size: 30 } },
    { name: 'larger', title: '256 B of payload', params: { size: 256 } },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: ENCAPSULATIONS_SELF_CHECKS,
  checks: [
    { id: 'captured', text: 'The captured packet has the bytes of its headers, and a right ICRC.' },
    { id: 'decoded', text: 'A decoder finds the same BTH, RETH and payload in both versions of RoCE.' },
    { id: 'sums', text: 'Each encapsulation has as many bytes as its headers add up to.' },
  ],
  run: runEncapsulations,
});
