import { defineLab } from '../form/define.js';
import { contractsParams } from './params.js';
import { CONTRACT_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runContracts } from './run.js';
import {
  LOC_LEN_ERR,
  LOC_PROT_ERR,
  REM_INV_REQ_ERR,
  RETRY_EXC_ERR,
  RNR_RETRY_EXC_ERR,
} from '../endpoints/wc-statuses.js';
import { CONTRACT_STEPS } from './steps.js';

export default defineLab({
  id: 'three-contracts',
  title: 'Three contracts with the device',
  question: 'What does the device do for you, and what must your program do in return?',
  summary:
    'The device sends without copies, keeps messages apart, and delivers them in order. Each of these asks something of the program. The client and the server first keep to it, then break it. You see what arrives, and which side is told of the mistake.',
  track: 'foundations',
  minutes: 8,
  order: 5,
  params: contractsParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends messages. Its device drops packets on demand.' },
    { name: 'server', title: 'Server', text: 'Posts RECVs, or does not.' },
  ],
  watch: ['steps', 'checks', 'packets', 'completions', 'verbs', 'states', 'counters'],
  steps: CONTRACT_STEPS.map((step) => ({ ...step })),
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'reused',
      text: 'The client sends 5 messages (unless you change that) from one buffer, and writes the next one into it right after each ibv_post_send. The server posts its RECVs late. How many messages arrive as the client wrote them?',
      figure: 'reused-right',
    },
    {
      kind: 'choice',
      id: 'short',
      text: 'A RECV is 1 B shorter than the message. Which program gets an error status?',
      options: [
        { id: 'client', text: 'The client' },
        { id: 'server', text: 'The server' },
        { id: 'both', text: 'Both' },
        { id: 'neither', text: 'Neither: the message is cut' },
      ],
    },
    {
      kind: 'choice',
      id: 'lost',
      text: 'One packet of the second message is lost. What do the programs notice?',
      options: [
        { id: 'error', text: 'An error status: the connection is broken' },
        { id: 'gap', text: 'The second message is missing' },
        { id: 'nothing', text: 'Nothing: all messages arrive in order' },
      ],
    },
  ],
  variations: [
    { name: 'many', title: '16 messages of 1 KiB', params: { messages: 16, size: 1024 } },
    {
      name: 'one-retry',
      title: 'One retry',
      text: 'Two losses in a row are one too many.',
      params: { retries: 1 },
    },
    { name: 'other-lengths', title: 'Other lengths', params: { seed: 2, size: 1000 } },
    { name: 'udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: CONTRACT_QUESTIONS,
  intends: [
    { role: 'client', most: 1, statuses: [LOC_PROT_ERR, REM_INV_REQ_ERR, RNR_RETRY_EXC_ERR] },
    // More losses than retry_cnt allows, and a peer that has left.
    { role: 'client', most: 2, statuses: [RETRY_EXC_ERR] },
    {
      role: 'server',
      most: 1,
      statuses: [LOC_LEN_ERR],
      events: ['QP_REQ_ERR'],
      // Packets behind one that found no RECV, or that was lost, are out of sequence.
      counters: ['send_rnr_err', 'out_of_sequence'],
    },
  ],
  checks: [
    { id: 'memory-kept', text: 'A buffer that is reused after the completion: every message arrives.' },
    {
      id: 'memory-reused',
      text: 'A buffer that is reused at once: other bytes arrive, and every status is 0.',
    },
    {
      id: 'memory-deregistered',
      text: 'Memory that is deregistered too early: the request fails, or the device refuses to let it go.',
    },
    { id: 'messages-kept', text: 'With a RECV for each, messages arrive whole, in order and apart.' },
    {
      id: 'messages-missing',
      text: 'Without a RECV, the client tries rnr_retry times more, then gets status 13.',
    },
    {
      id: 'messages-short',
      text: 'A RECV that is too short fails at both ends, and nothing after it arrives.',
    },
    { id: 'delivery-kept', text: 'One lost packet: all messages arrive in order, and no program notices.' },
    {
      id: 'delivery-budget',
      text: 'A packet may be lost retry_cnt times in a row. One more gives status 12.',
    },
    { id: 'delivery-unread', text: 'To a peer that has left, each post succeeds and nothing arrives.' },
    {
      id: 'delivery-rebuilt',
      text: 'A program that reads its statuses and connects again delivers each message once, in order.',
    },
  ],
  wants: ['tap', 'faults', 'counters'],
  run: runContracts,
});
