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
    'The client’s packet is held back, and really sent with one field changed. You see whether the server’s device drops, refuses or executes it.',
  short: 'Header explorer',
  why: 'A bad packet may be dropped, refused or executed.',
  buildsOn: ['acknowledgments'],
  picture: { sample: 'write', focus: ['wire', 'server.device'] },
  track: 'wire',
  order: 5,
  minutes: 10,
  params: headerExplorerParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends the edited packets.' },
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
      text: 'A WRITE arrives with the PSN of the one before, but other data. What happens?',
      options: [
        { id: 'written', text: 'Data written' },
        { id: 'ack', text: 'ACK, but not written' },
        { id: 'nak', text: 'NAK' },
        { id: 'silence', text: 'No answer' },
      ],
    },
    {
      kind: 'choice',
      id: 'qpn',
      text: 'A packet names a QP that does not exist. What happens?',
      options: [
        { id: 'nak', text: 'NAK' },
        { id: 'silence', text: 'No answer' },
        { id: 'written', text: 'Data written' },
      ],
    },
    {
      kind: 'choice',
      id: 'forged',
      text: 'Someone changes a byte in transit and recomputes the ICRC. What happens?',
      options: [
        { id: 'silence', text: 'Dropped' },
        { id: 'nak', text: 'NAK' },
        { id: 'written', text: 'Data written' },
      ],
    },
  ],
  variations: [
    {
      name: 'wrong-key',
      title: 'Your edit: rkey 0',
      params: { edit: 'reth.rkey=0' },
    },
    {
      name: 'long-read',
      title: 'Your edit: a READ of more',
      params: { packet: 'read', edit: 'reth.dmaLength=+64' },
    },
    {
      name: 'add-more',
      title: 'Your edit: add 41 instead of 1',
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
    { id: 'dropped', text: 'What headers or ICRC give away is dropped, and counted.' },
    {
      id: 'refused',
      text: 'What QP or region does not allow gets the right NAK.',
    },
    { id: 'duplicate', text: 'A PSN used before is acknowledged, but not executed.' },
    { id: 'executed', text: 'What no rule forbids is executed, as the packet says.' },
    { id: 'outside-icrc', text: 'FECN and BECN do not change the ICRC.' },
    { id: 'own', text: 'Your packet was sent as you edited it.' },
  ],
  run: runHeaderExplorer,
});
