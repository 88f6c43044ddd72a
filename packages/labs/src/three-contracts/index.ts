import { defineLab } from '../form/define.js';
import { contractsParams } from './params.js';
import { CONTRACT_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runContracts } from './run.js';
import {
  LOC_LEN_ERR,
  LOC_PROT_ERR,
  LOC_QP_OP_ERR,
  REM_INV_REQ_ERR,
  REM_OP_ERR,
  RETRY_EXC_ERR,
  RNR_RETRY_EXC_ERR,
} from '../endpoints/wc-statuses.js';
import { CONTRACT_STEPS } from './steps.js';

export default defineLab({
  id: 'three-contracts',
  title: 'Three contracts with the device',
  question: 'What does the device do for you, and what must your program do in return?',
  summary:
    'The device sends without copies, keeps messages apart, and delivers in order, and each asks something of the program. Client and server keep to it, then break it.',
  short: 'Three contracts',
  why: 'Some broken promises give no error at all.',
  buildsOn: ['minimal-flow'],
  picture: { sample: 'send', focus: ['client.memory', 'server.rq', 'wire', 'client.cq'] },
  track: 'foundations',
  minutes: 8,
  order: 5,
  params: contractsParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends messages.' },
    { name: 'server', title: 'Server', text: 'Posts RECVs, or does not.' },
  ],
  watch: ['steps', 'checks', 'packets', 'completions', 'verbs', 'states', 'counters'],
  steps: CONTRACT_STEPS.map((step) => ({ ...step })),
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'reused',
      text: 'The client sends 5 messages (by default) from one buffer, overwriting it after each post. RECVs come late. How many arrive as written?',
      figure: 'reused-right',
    },
    {
      kind: 'choice',
      id: 'short',
      text: 'A RECV is 1 B too short. Which program gets an error status?',
      options: [
        { id: 'client', text: 'The client' },
        { id: 'server', text: 'The server' },
        { id: 'both', text: 'Both' },
        { id: 'neither', text: 'Neither' },
      ],
    },
    {
      kind: 'choice',
      id: 'lost',
      text: 'One packet is lost. What do the programs notice?',
      options: [
        { id: 'error', text: 'An error status' },
        { id: 'gap', text: 'A missing message' },
        { id: 'nothing', text: 'Nothing' },
      ],
    },
  ],
  variations: [
    { name: 'many', title: '16 messages of 1 KiB', params: { messages: 16, size: 1024 } },
    {
      name: 'one-retry',
      title: 'One retry',
      params: { retries: 1 },
    },
    { name: 'other-lengths', title: 'Other lengths', params: { seed: 2, size: 1000 } },
    { name: 'udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: CONTRACT_QUESTIONS,
  intends: [
    // The kernel’s rxe has LOC_QP_OP_ERR for a deregistered buffer, and for a RECV that is too short REM_OP_ERR and, at the
    // server, LOC_QP_OP_ERR.
    {
      role: 'client',
      most: 1,
      statuses: [LOC_PROT_ERR, LOC_QP_OP_ERR, REM_INV_REQ_ERR, REM_OP_ERR, RNR_RETRY_EXC_ERR],
    },
    // More losses than retry_cnt allows, and a peer that has left.
    { role: 'client', most: 2, statuses: [RETRY_EXC_ERR] },
    {
      role: 'server',
      most: 1,
      statuses: [LOC_LEN_ERR, LOC_QP_OP_ERR],
      events: ['QP_REQ_ERR'],
      // Packets behind one that found no RECV, or that was lost, are out of sequence.
      counters: ['send_rnr_err', 'out_of_sequence'],
    },
  ],
  checks: [
    { id: 'memory-kept', text: 'Buffer reused after the completion: every message arrives.' },
    {
      id: 'memory-reused',
      text: 'Buffer reused at once: other bytes arrive, every status is 0.',
    },
    {
      id: 'memory-deregistered',
      text: 'Deregistered too early: the request fails, or the device refuses.',
    },
    { id: 'messages-kept', text: 'With a RECV each, messages arrive whole, in order and apart.' },
    {
      id: 'messages-missing',
      text: 'Without a RECV: rnr_retry more tries, then status 13.',
    },
    {
      id: 'messages-short',
      text: 'A short RECV fails at both ends, and nothing after it arrives.',
    },
    { id: 'delivery-kept', text: 'One lost packet: all messages arrive in order, unnoticed.' },
    {
      id: 'delivery-budget',
      text: 'A packet may be lost retry_cnt times. One more gives status 12.',
    },
    { id: 'delivery-unread', text: 'To a peer that has left, posts succeed and nothing arrives.' },
    {
      id: 'delivery-rebuilt',
      text: 'Connecting again delivers each message, in order.',
    },
  ],
  wants: ['tap', 'faults', 'counters'],
  run: runContracts,
});
