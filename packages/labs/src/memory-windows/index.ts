import { defineLab } from '../form/define.js';
import { memoryWindowsParams } from './params.js';
import { MEMORY_WINDOWS_QUESTIONS } from './questions.js';
import { runMemoryWindows } from './run.js';
import { MW_BIND_ERR } from '../endpoints/wc-statuses.js';

export default defineLab({
  id: 'memory-windows',
  title: 'Access rights and memory windows',
  question: 'How do you grant a peer only the access it needs, and revoke it?',
  summary:
    'The client tries each verb against regions with one right each. Then the server grants part of a region through a memory window, and revokes it.',
  short: 'Memory windows',
  why: 'An rkey can leak: grant only what a peer needs.',
  buildsOn: ['write-read'],
  picture: { sample: 'beyond-region', focus: ['server.memory', 'server.device'] },
  track: 'verbs',
  minutes: 6,
  order: 7,
  params: memoryWindowsParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Tries each verb.' },
    { name: 'server', title: 'Server', text: 'Grants rights and revokes them.' },
  ],
  watch: ['packets', 'completions', 'verbs', 'checks'],
  needs: ['windows'],
  wants: ['tap'],
  results: {
    figures: [
      { name: 'passed', label: 'Remote accesses that passed, of 12' },
      { name: 'refused', label: 'Refused with status 10' },
      { name: 'local-inv', label: 'Status right after LOCAL_INV' },
      { name: 'send-inv', label: 'Status right after SEND with invalidate' },
      { name: 'bind-status', label: 'Status of a bind without MW_BIND' },
    ],
    tables: [
      {
        name: 'rights',
        label: 'Which right lets which verb pass',
        text: 'Status at the client. Each attempt has its own connection. The QPs grant all rights.',
        columns: [
          { name: 'region', label: 'Rights of the region' },
          { name: 'send', label: 'SEND' },
          { name: 'write', label: 'WRITE' },
          { name: 'read', label: 'READ' },
          { name: 'fetchAdd', label: 'FETCH_ADD' },
        ],
      },
      {
        name: 'windows',
        label: 'Requests through windows',
        text: 'The region grants only LOCAL_WRITE and MW_BIND; the window grants REMOTE_WRITE.',
        columns: [
          { name: 'type', label: 'Type' },
          { name: 'request', label: 'Request' },
          { name: 'status', label: 'Status' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'number',
      id: 'passed',
      text: 'WRITE, READ and FETCH_ADD on 4 regions: one without remote rights, one with each. How many of the 12 pass?',
      figure: 'passed',
    },
    {
      kind: 'choice',
      id: 'after-inv',
      text: 'The client gives up a window with SEND_WITH_INV. What happens to its next WRITE with that rkey?',
      options: [
        { id: 'works', text: 'It works' },
        { id: 'refused', text: 'The server’s device refuses it' },
        { id: 'other', text: 'Something else' },
      ],
    },
  ],
  variations: [
    { name: 'small', title: 'A window of 16 B', params: { length: 16 } },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: MEMORY_WINDOWS_QUESTIONS,
  intends: [
    {
      role: 'server',
      most: 1,
      statuses: [MW_BIND_ERR],
      calls: [{ call: 'ibv_reg_mr', errno: 'EINVAL' }],
    },
  ],
  checks: [
    { id: 'own-right', text: 'WRITE, READ and FETCH_ADD each pass only with their own right.' },
    { id: 'send-right', text: 'SEND needs LOCAL_WRITE at the receiver, no remote right.' },
    { id: 'type-1', text: 'A type 1 window grants its right to its range, nothing else.' },
    { id: 'type-2', text: 'A type 2 window grants its right to its range, nothing else.' },
    { id: 'local-inv', text: 'LOCAL_INV revokes at once; the region stays registered.' },
    { id: 'send-inv', text: 'SEND_WITH_INV revokes at once; the region stays registered.' },
    { id: 'both-know', text: 'A refusal puts the client’s QP into ERR; the server gets an event.' },
    { id: 'nak', text: 'Each refusal with status 10 is NAK 0x62.' },
    { id: 'needs-local-write', text: 'REMOTE_WRITE without LOCAL_WRITE is refused with EINVAL.' },
    { id: 'needs-mw-bind', text: 'A window needs a region with MW_BIND.' },
  ],
  run: runMemoryWindows,
});
