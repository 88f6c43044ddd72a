import { defineLab } from '../form/define.js';
import { BAD_RESP_ERR, REM_ACCESS_ERR, REM_INV_REQ_ERR, REM_OP_ERR } from '../endpoints/wc-statuses.js';
import { headerExplorerParams } from './params.js';
import { HEADER_EXPLORER_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runHeaderExplorer } from './run.js';
import { DROPS } from './verdict.js';

export default defineLab({
  id: 'header-explorer',
  title: 'The header explorer',
  question: 'What does a device do with a packet when one field of it is wrong?',
  summary:
    'The client’s device makes a WRITE. Its packet is held back, one field is changed, and the changed packet is really sent. You see whether the server’s device drops it, refuses it or executes it, and why. You can edit any field from the BTH to the ICRC yourself.',
  track: 'wire',
  order: 5,
  minutes: 10,
  params: headerExplorerParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Makes the requests, and sends the edited packets.' },
    { name: 'server', title: 'Server', text: 'Its device judges them. Its program does nothing.' },
  ],
  watch: ['packets', 'completions', 'checks', 'verbs'],
  needs: ['tap', 'faults', 'counters', 'sendPacket'],
  withoutProgram:
    'No verbs call sends a packet byte by byte. The lab uses uroce_send_packet, an extension of the embedded device.',
  results: RESULTS,
  predictions: [
    {
      kind: 'choice',
      id: 'behind',
      text: 'A WRITE arrives with the PSN of the WRITE before it, but with other data. What happens?',
      options: [
        { id: 'written', text: 'The data is written' },
        { id: 'ack', text: 'The data is not written, and an ACK comes back' },
        { id: 'nak', text: 'A NAK comes back' },
        { id: 'silence', text: 'Nothing comes back' },
      ],
    },
    {
      kind: 'choice',
      id: 'qpn',
      text: 'A packet names a QP that does not exist. What happens?',
      options: [
        { id: 'nak', text: 'A NAK comes back' },
        { id: 'silence', text: 'Nothing comes back' },
        { id: 'written', text: 'The data is written: address and rkey are right' },
      ],
    },
    {
      kind: 'choice',
      id: 'forged',
      text: 'Someone changes a byte of the data in transit and recomputes the ICRC. What happens?',
      options: [
        { id: 'silence', text: 'The packet is dropped' },
        { id: 'nak', text: 'A NAK comes back' },
        { id: 'written', text: 'The changed data is written' },
      ],
    },
  ],
  variations: [
    {
      name: 'wrong-key',
      title: 'Your edit: rkey 0',
      text: 'The device knows no such region: NAK 0x62, and the connection is over.',
      params: { edit: 'reth.rkey=0' },
    },
    {
      name: 'long-read',
      title: 'Your edit: a READ of more',
      text: 'The server sends more than the client’s request has room for. What does the client’s device do?',
      params: { packet: 'read', edit: 'reth.dmaLength=+64' },
    },
    {
      name: 'add-more',
      title: 'Your edit: add 41 instead of 1',
      text: 'The server’s device adds what the packet says.',
      params: { packet: 'fetch-add', edit: 'atomiceth.swapOrAdd=41' },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  intends: [
    // The reader’s own edit may make the server answer a READ with more than was asked for.
    { role: 'client', statuses: [BAD_RESP_ERR, REM_INV_REQ_ERR, REM_ACCESS_ERR, REM_OP_ERR] },
    {
      role: 'server',
      events: ['QP_ACCESS_ERR', 'QP_REQ_ERR'],
      counters: [...Object.keys(DROPS), 'out_of_sequence', 'send_rnr_err', 'out_of_buffer'],
    },
  ],
  selfChecks: HEADER_EXPLORER_SELF_CHECKS,
  checks: [
    { id: 'original', text: 'The unchanged packet is executed and acknowledged.' },
    { id: 'dropped', text: 'What the headers or the ICRC give away is dropped, and counted by its reason.' },
    {
      id: 'refused',
      text: 'What the QP or the memory region does not allow is answered with the right NAK.',
    },
    { id: 'duplicate', text: 'A PSN that was used before is acknowledged, but not executed.' },
    { id: 'executed', text: 'What no rule forbids is executed, as the packet says.' },
    { id: 'outside-icrc', text: 'FECN and BECN do not change the ICRC.' },
    { id: 'own', text: 'Your packet was sent as you edited it.' },
  ],
  run: runHeaderExplorer,
});
