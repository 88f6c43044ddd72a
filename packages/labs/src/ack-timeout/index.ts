import { toOne } from '../fabric/drawn.js';
import { defineLab } from '../form/define.js';
import { ackTimeoutParams } from './params.js';
import { ACK_TIMEOUT_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runAckTimeout } from './run.js';

export default defineLab({
  id: 'ack-timeout',
  title: 'The ACK timeout',
  question: 'Why is the ACK timeout the most dangerous knob?',
  summary:
    'Simulated hosts try timeouts from 33 µs to 67 ms three times: under random loss, behind a long queue, and with a lost last packet. Formulas stand beside.',
  short: 'ACK timeout',
  why: 'Too short, it floods queues. Too long, each loss stops the flow.',
  buildsOn: ['retry-timers', 'loss-cost'],
  track: 'fabrics',
  order: 6,
  minutes: 6,
  params: ackTimeoutParams,
  roles: [],
  fabric: {
    text: '16 hosts send to one at once, so ACKs wait for the queue. Then one flow loses packets.',
    tiers: [1],
    hosts: 17,
    flows: toOne(16),
  },
  watch: ['fabric', 'checks'],
  withoutProgram:
    'One machine has no long queue. `verbslab sim loss --set timeout=14` simulates one of the settings.',
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'longest',
      text: 'A link loses 0.4 % of the packets. What share of its goodput does a flow keep with timeout 14 (by default)?',
      unit: '%',
      figure: 'longest',
    },
    {
      kind: 'choice',
      id: 'short',
      text: 'Hosts share a long queue that loses nothing. What does the shortest timeout do?',
      options: [
        { id: 'nothing', text: 'Nothing' },
        { id: 'again', text: 'It makes them send some packets again' },
        { id: 'fail', text: 'It makes connections fail' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick run', params: { longest: '10' } },
    { name: 'few', title: 'Four senders', text: 'The queue is shorter.', params: { senders: 4 } },
    { name: 'many', title: '64 senders', params: { senders: 64 } },
    { name: 'rare', title: '0.1 % loss', params: { loss: 0.1 } },
  ],
  selfChecks: ACK_TIMEOUT_SELF_CHECKS,
  checks: [
    {
      id: 'queue',
      text: 'In the queue, packets are sent again exactly where the timeout is below the time between two ACKs.',
    },
    { id: 'loss', text: 'Under loss, the goodput agrees with the formula.' },
    { id: 'tail', text: 'A lost last packet costs one timeout.' },
  ],
  run: runAckTimeout,
});
