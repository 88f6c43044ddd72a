import { defineLab } from '../form/define.js';
import { segmentationParams } from './params.js';
import { SEGMENTATION_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runSegmentation } from './run.js';

export default defineLab({
  id: 'segmentation',
  title: 'Segmentation',
  question: 'Into which packets is a message split, and what do their headers cost?',
  summary:
    'The client SENDs, WRITEs and READs messages of several sizes. You see the packets and PSNs of each, and how much of the bytes is payload at every path MTU.',
  short: 'Segmentation',
  why: 'Headers can outweigh the payload of small messages.',
  buildsOn: ['minimal-flow'],
  picture: { sample: 'many-writes', focus: ['wire', 'client.device'] },
  track: 'wire',
  order: 1,
  minutes: 6,
  params: segmentationParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Posts every request.' },
    { name: 'server', title: 'Server', text: 'Posts RECVs.' },
  ],
  watch: ['packets', 'completions', 'verbs', 'checks'],
  needs: ['tap'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'share-smallest',
      text: 'A long WRITE at a path MTU of 256 B: what percentage on Ethernet is payload?',
      unit: '%',
      figure: 'share-smallest',
    },
    {
      kind: 'choice',
      id: 'empty',
      text: 'How many data packets does a WRITE of 0 B take?',
      options: [
        { id: 'none', text: 'None' },
        { id: 'one', text: 'One' },
      ],
    },
    {
      kind: 'choice',
      id: 'read-psns',
      text: 'How many PSNs does a READ take, whose request is one packet?',
      options: [
        { id: 'one', text: 'One' },
        { id: 'responses', text: 'One per response' },
      ],
    },
  ],
  variations: [
    {
      name: 'one-packet',
      title: '1024 B: one packet',
      text: 'The message becomes an Only.',
      params: { size: 1024 },
    },
    {
      name: 'small-mtu',
      title: 'A path MTU of 256 B',
      text: 'The same 4096 B take 16 packets.',
      params: { mtu: '256' },
    },
    {
      name: 'short',
      title: 'The headers of 64 B',
      params: { long: 64 },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: SEGMENTATION_SELF_CHECKS,
  checks: [
    { id: 'cut', text: 'Every message is split at the path MTU: Only, or First, Middle and Last.' },
    { id: 'psns', text: 'A message takes one PSN per data packet, a READ those of its responses.' },
    { id: 'sizes', text: 'Each data packet has as many bytes as its headers, payload and pad.' },
    { id: 'arrived', text: 'Every message arrives byte for byte.' },
  ],
  run: runSegmentation,
});
