import { defineLab } from '../define.js';
import { minimalFlowParams } from './params.js';
import { runMinimalFlow } from './run.js';
import { MINIMAL_FLOW_STEPS } from './steps.js';

export const minimalFlow = defineLab({
  id: 'minimal-flow',
  title: 'The minimal flow',
  question: 'What happens in the minimal flow?',
  summary:
    'Two endpoints connect a pair of QPs by hand, one WRITEs into the memory of the other and READs it back. You see every verbs call with its ' +
    'arguments and result, the states of both QPs, the completions, and the packets of each step.',
  params: minimalFlowParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Posts the WRITE and the READ.' },
    { name: 'server', title: 'Server', text: 'Lends its memory and sleeps.' },
  ],
  watch: ['steps', 'states', 'verbs', 'packets', 'completions', 'checks'],
  steps: MINIMAL_FLOW_STEPS.map((step) => ({ ...step })),
  checks: [
    { id: 'bytes-written', text: 'The server’s memory holds what the client wrote.' },
    { id: 'bytes-read', text: 'The READ brings the same bytes back.' },
    { id: 'one-completion-each', text: 'Each signalled work request makes exactly one completion.' },
    { id: 'none-at-target', text: 'The target of WRITE and READ gets no completion.' },
    { id: 'still-connected', text: 'Both QPs are in RTS at the end.' },
    { id: 'quiet-setup', text: 'Setting up sends no packet.' },
    { id: 'write-packets', text: 'The WRITE is cut at the path MTU and acknowledged.' },
    { id: 'read-packets', text: 'The READ’s responses carry all bytes.' },
    { id: 'icrc', text: 'The ICRC of every packet is right.' },
  ],
  wants: ['tap', 'stamps'],
  run: runMinimalFlow,
});
