import { defineLab } from '../form/define.js';
import { ACKNOWLEDGMENTS_RULES, acknowledgmentsParams } from './params.js';
import { ACKNOWLEDGMENTS_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runAcknowledgments } from './run.js';

export default defineLab({
  id: 'acknowledgments',
  title: 'PSNs and acknowledgments',
  question: 'How many ACKs does a transfer need, and what does each of them say?',
  summary:
    'The client WRITEs with 1 to 64 requests in flight and counts the ACKs. Its PSNs begin shortly before 2^24, so you see them wrap.',
  short: 'PSNs and ACKs',
  why: 'One ACK can stand for many messages.',
  buildsOn: ['segmentation'],
  picture: { sample: 'many-writes', focus: ['wire', 'client.device', 'server.device'] },
  track: 'wire',
  order: 2,
  minutes: 6,
  params: acknowledgmentsParams,
  rules: ACKNOWLEDGMENTS_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'Writes, reads and captures.' },
    { name: 'server', title: 'Server', text: 'Its device acknowledges. Its program does nothing.' },
  ],
  watch: ['packets', 'completions', 'verbs', 'checks'],
  needs: ['tap'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'deep-acks',
      text: 'The client posts 64 WRITEs with one call (by default). How many ACKs come back?',
      unit: 'packets',
      figure: 'deep-acks',
    },
    {
      kind: 'choice',
      id: 'wrap',
      text: 'A QP has sent PSN 16,777,215, the largest that 24 bits hold. What comes next?',
      options: [
        { id: 'zero', text: 'PSN 0, on the same connection' },
        { id: 'reset', text: 'The QP fails' },
      ],
    },
    {
      kind: 'choice',
      id: 'read',
      text: 'What acknowledges a READ?',
      options: [
        { id: 'ack', text: 'An ACK after its responses' },
        { id: 'response', text: 'Its responses' },
      ],
    },
  ],
  variations: [
    {
      name: 'several-packets',
      title: 'WRITEs of 4 packets',
      params: { size: 4096 },
    },
    {
      name: 'more',
      title: '256 in flight',
      text: 'More than the 128 packets of the embedded device’s window.',
      params: { messages: 256, largest: 256 },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: ACKNOWLEDGMENTS_SELF_CHECKS,
  checks: [
    { id: 'one-each', text: 'One WRITE in flight brings one ACK each.' },
    { id: 'asked', text: 'The last packet before each wait asks for an ACK.' },
    { id: 'msn', text: 'The MSN of each ACK counts the WRITEs that it covers.' },
    { id: 'wrap', text: 'PSN 0 follows 16,777,215, and no PSN is skipped.' },
    { id: 'reads', text: 'Responses acknowledge READs, and count them in the MSN.' },
  ],
  run: runAcknowledgments,
});
