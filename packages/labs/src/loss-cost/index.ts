import { defineLab } from '../form/define.js';
import { LOSS_COUNTERS } from '../loss/intended.js';
import { LOSS_COST_RULES, lossCostParams } from './params.js';
import { LOSS_COST_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runLossCost } from './run.js';

export default defineLab({
  id: 'loss-cost',
  title: 'What does 1 % loss cost?',
  question: 'How much goodput does RDMA lose when packets are lost?',
  summary:
    'The client’s device drops 0 to 5 % of its packets, at two message sizes and two windows. You see the goodput of WRITEs beside a formula for go-back-N.',
  short: '1 % loss',
  why: 'Whether RoCE needs a lossless network depends on this cost.',
  buildsOn: ['acknowledgments', 'outstanding'],
  picture: { sample: 'write-lost', focus: ['wire', 'client.device', 'server.device'] },
  track: 'loss',
  order: 1,
  minutes: 6,
  params: lossCostParams,
  rules: LOSS_COST_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'Writes. Its device loses packets.' },
    { name: 'server', title: 'Server', text: 'Registers the memory.' },
  ],
  watch: ['packets', 'problems', 'counters', 'checks', 'verbs'],
  needs: ['faults', 'counters'],
  wants: ['tap'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'kept',
      text: 'How much goodput is left at 1 % loss, with several large messages in flight?',
      unit: '%',
      figure: 'kept',
    },
    {
      kind: 'choice',
      id: 'window',
      text: 'Small messages at 1 % loss: with how many in flight is less left?',
      options: [
        { id: 'one', text: 'One message' },
        { id: 'several', text: 'Several messages' },
        { id: 'unclear', text: 'No clear difference' },
      ],
    },
  ],
  variations: [
    {
      name: 'quick',
      title: 'Quick run',
      text: 'Few losses at the low rates.',
      params: { duration: 30, repeat: 1 },
    },
    {
      name: 'long-timeout',
      title: 'timeout 14, the usual value',
      text: 'Losses that only the timeout finds cost four times as much.',
      params: { timeout: 14 },
    },
    {
      name: 'large-window',
      title: '32 messages in flight',
      text: 'More packets are wasted before a NAK.',
      params: { window: 32 },
    },
    {
      name: 'longer',
      title: 'One long measurement of each setting',
      params: { duration: 800, repeat: 1 },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: LOSS_COST_SELF_CHECKS,
  intends: LOSS_COUNTERS,
  checks: [
    { id: 'slower', text: 'No setting is clearly faster with the highest loss than without loss.' },
    { id: 'arrived', text: 'Every byte arrives, and no request fails.' },
    { id: 'counted', text: 'Capture and counters agree on the retransmitted packets.' },
  ],
  run: runLossCost,
});
