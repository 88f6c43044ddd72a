import { defineLab } from '../form/define.js';
import { LOC_LEN_ERR, LOC_QP_OP_ERR, REM_INV_REQ_ERR, REM_OP_ERR } from '../endpoints/wc-statuses.js';
import { rendezvousParams } from './params.js';
import { RENDEZVOUS_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runRendezvous } from './run.js';

const KIB = 1024;

export default defineLab({
  id: 'rendezvous',
  title: 'Eager or rendezvous',
  question: 'From which size on is it worth asking first, instead of copying at both ends?',
  summary:
    'A sender sends messages of growing size: eagerly through bounce buffers, by rendezvous with a WRITE, and by rendezvous with a READ. You see copies, costs and crossovers.',
  short: 'Rendezvous',
  why: 'Two copies can cost less than one round trip.',
  buildsOn: ['send-recv', 'write-imm'],
  picture: { sample: 'write-imm', focus: ['client.memory', 'server.memory', 'wire'] },
  track: 'ai-data',
  order: 4,
  minutes: 7,
  params: rendezvousParams,
  roles: [
    { name: 'sender', title: 'Sender', text: 'Sends messages.' },
    { name: 'receiver', title: 'Receiver', text: 'Wants each message in its own buffer.' },
  ],
  watch: ['completions', 'verbs', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'formula',
      text: 'Eager copies each message twice, rendezvous waits one round trip more. At which size do both take the same time?',
      unit: 'B',
      figure: 'formula',
    },
    {
      kind: 'choice',
      id: 'copies',
      text: 'Which program copies the message in a rendezvous?',
      options: [
        { id: 'both', text: 'Both' },
        { id: 'receiver', text: 'The receiver' },
        { id: 'none', text: 'Neither' },
      ],
    },
    {
      kind: 'choice',
      id: 'largest',
      text: 'Which way is faster for the largest message?',
      options: [
        { id: 'eager', text: 'Eager' },
        { id: 'rendezvous', text: 'Rendezvous with WRITE' },
        { id: 'unclear', text: 'No clear difference' },
      ],
    },
  ],
  variations: [
    {
      name: 'small',
      title: 'Up to 256 KiB',
      params: { largest: 256 * KIB, repeat: 15 },
    },
    { name: 'udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: RENDEZVOUS_QUESTIONS,
  intends: [
    // The second of each pair are those of the kernel’s rxe.
    { role: 'sender', most: 1, statuses: [REM_INV_REQ_ERR, REM_OP_ERR] },
    { role: 'receiver', most: 1, statuses: [LOC_LEN_ERR, LOC_QP_OP_ERR], events: ['QP_REQ_ERR'] },
  ],
  checks: [
    { id: 'waits', text: 'Until the CTS no byte of the message moves.' },
    { id: 'ready', text: 'Immediate 1 comes after the CTS, with the whole message there.' },
    { id: 'bounce', text: 'Eager copies the message at both ends, rendezvous at none.' },
    { id: 'fin', text: 'After a READ the sender learns nothing until the FIN.' },
    { id: 'too-long', text: 'A SEND longer than its RECV ends the connection.' },
    { id: 'bytes', text: 'Every byte of the largest message arrives in each way.' },
  ],
  run: runRendezvous,
});
