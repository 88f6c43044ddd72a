import { defineLab } from '../form/define.js';
import { LOSS_COUNTERS } from '../loss/intended.js';
import { lossAmplificationParams } from './params.js';
import { LOSS_AMPLIFICATION_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runLossAmplification } from './run.js';

export default defineLab({
  id: 'loss-amplification',
  title: 'Loss amplification',
  question: 'How many packets are sent again when one is lost?',
  summary:
    'The client’s device loses one packet, and then a random 1 %. Captures at both ends show which packets were retransmitted although they had arrived.',
  short: 'Amplification',
  why: 'The more is in flight, the more a loss can cost.',
  buildsOn: ['loss-cost'],
  picture: { sample: 'write-lost', stage: 'Go back', focus: ['wire', 'client.device', 'server.device'] },
  track: 'loss',
  order: 2,
  minutes: 5,
  params: lossAmplificationParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Writes. Its device loses some packets.' },
    { name: 'server', title: 'Server', text: 'Captures what arrives.' },
  ],
  watch: ['packets', 'problems', 'counters', 'checks', 'verbs'],
  needs: ['faults', 'counters', 'tap'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'after-one',
      text: 'How many packets are retransmitted after one loss, with 64 messages in flight (by default)?',
      unit: 'packets',
      figure: 'after-one',
    },
    {
      kind: 'choice',
      id: 'arrived',
      text: 'How many of the retransmitted packets had arrived before?',
      options: [
        { id: 'none', text: 'None: only lost packets are retransmitted' },
        { id: 'some', text: 'Up to half of them' },
        { id: 'most', text: 'More than half of them' },
      ],
    },
  ],
  variations: [
    {
      name: 'quick',
      title: 'Quick run',
      params: { messages: 200, largest: 16, repeat: 1 },
    },
    {
      name: 'half',
      title: '0.5 % loss',
      params: { loss: 0.5 },
    },
    { name: 'other-seed', title: 'Another seed', params: { seed: 100 } },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: LOSS_AMPLIFICATION_SELF_CHECKS,
  intends: LOSS_COUNTERS,
  checks: [
    { id: 'counted', text: 'As many packets are retransmitted by the captures as by the counters.' },
    { id: 'bounded', text: 'On average, a go-back retransmits at most one window of packets.' },
    { id: 'arrived', text: 'Every packet and every byte arrives.' },
  ],
  run: runLossAmplification,
});
