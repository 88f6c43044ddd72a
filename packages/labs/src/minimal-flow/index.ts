import { defineLab } from '../form/define.js';
import { minimalFlowParams } from './params.js';
import { runMinimalFlow } from './run.js';
import { MINIMAL_FLOW_ENDING } from './ending.js';
import { MINIMAL_FLOW_PREDICTIONS } from './questions.js';
import { MINIMAL_FLOW_SELF_CHECKS } from './self-checks.js';
import { MINIMAL_FLOW_STEPS } from './steps.js';

export const minimalFlow = defineLab({
  id: 'minimal-flow',
  track: 'foundations',
  minutes: 10,
  order: 1,
  title: 'One WRITE, step by step',
  question: 'How does one RDMA WRITE work, step by step?',
  summary:
    'One program writes directly into the other’s memory, then reads it back. You follow every verbs call, QP state, completion and packet.',
  short: 'One WRITE',
  why: 'The server’s memory changes without a call of its program.',
  buildsOn: [],
  picture: { sample: 'write', focus: ['client.memory', 'server.memory', 'client.cq', 'server.program'] },
  params: minimalFlowParams,
  variations: [
    {
      name: 'one-packet',
      title: '1 B message',
      text: 'The WRITE is one packet: WRITE Only.',
      params: { size: 1 },
    },
    {
      name: 'many-packets',
      title: '64 KiB message',
      text: 'The WRITE has many Middle packets.',
      params: { size: 65_536 },
    },
    {
      name: 'udp',
      title: 'Through the kernel',
      text: 'Packets take UDP sockets; on one host, tcpdump -i lo shows them.',
      params: { link: 'udp' },
    },
  ],
  roles: [
    { name: 'client', title: 'Client', text: 'Posts the WRITE and the READ.' },
    {
      name: 'server',
      title: 'Server',
      text: 'Grants access to its memory. The WRITE and the READ need no call from it.',
    },
  ],
  watch: ['steps', 'states', 'verbs', 'packets', 'completions', 'checks'],
  steps: MINIMAL_FLOW_STEPS.map((step) => ({ ...step })),
  ending: MINIMAL_FLOW_ENDING,
  checks: [
    { id: 'bytes-written', text: 'The server’s memory holds what the client wrote.' },
    { id: 'bytes-read', text: 'The READ brings the same bytes back.' },
    { id: 'one-completion-each', text: 'Each signaled work request produces exactly one completion.' },
    { id: 'none-at-target', text: 'The target of WRITE and READ gets no completion.' },
    { id: 'still-connected', text: 'Both QPs are still in RTS after the transfers.' },
    { id: 'quiet-setup', text: 'Setup sends no RDMA packet.' },
    {
      id: 'write-packets',
      text: 'The WRITE’s packets carry at most one path MTU, and are acknowledged.',
    },
    { id: 'read-packets', text: 'The READ’s responses carry all bytes.' },
    { id: 'icrc', text: 'The ICRC of every packet is correct.' },
  ],
  predictions: [...MINIMAL_FLOW_PREDICTIONS],
  selfChecks: MINIMAL_FLOW_SELF_CHECKS,
  wants: ['tap', 'stamps'],
  run: runMinimalFlow,
});

export default minimalFlow;
