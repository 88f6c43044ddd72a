import { defineLab } from '../form/define.js';
import { hwCountersParams } from './params.js';
import { HW_COUNTERS_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runHwCounters } from './run.js';

export default defineLab({
  id: 'hw-counters',
  title: 'Hardware counters',
  question: 'What does each counter of a device count, and what makes it move?',
  summary:
    'The lab causes one thing after another: a lost packet, a missing RECV, a wrong Q_Key. It compares the counters of both devices with a prediction.',
  short: 'Counters',
  why: 'Sequence counters point at the network, RNR counters at software.',
  buildsOn: ['acknowledgments'],
  picture: { sample: 'write-lost', focus: ['client.device', 'server.device', 'wire'] },
  track: 'wire',
  order: 3,
  minutes: 6,
  params: hwCountersParams,
  roles: [
    {
      name: 'client',
      title: 'Client',
      text: 'Sends, and loses, copies and damages packets.',
    },
    { name: 'server', title: 'Server', text: 'Receives, and loses one response.' },
  ],
  watch: ['problems', 'counters', 'completions', 'verbs', 'checks'],
  needs: ['faults', 'counters', 'marks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'timeouts',
      text: 'A WRITE gets no answer, and retry_cnt is 2 (by default). By how much does local_ack_timeout_err grow?',
      figure: 'timeouts',
    },
    {
      kind: 'number',
      id: 'ahead',
      text: 'The first of 4 WRITEs (by default) is lost. By how much does the server’s out_of_sequence grow?',
      figure: 'ahead',
    },
    {
      kind: 'choice',
      id: 'rnr',
      text: 'A SEND finds no RECV. Which device counts the RNR NAKs?',
      options: [
        { id: 'client', text: 'Only the client’s' },
        { id: 'server', text: 'Only the server’s' },
        { id: 'both', text: 'Both, under different names' },
      ],
    },
  ],
  variations: [
    {
      name: 'patient',
      title: '5 retries',
      params: { retries: 5 },
    },
    {
      name: 'many-behind',
      title: '15 WRITEs after the lost one',
      params: { behind: 15 },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: HW_COUNTERS_SELF_CHECKS,
  intends: [
    {
      role: 'client',
      counters: [
        'packet_seq_err',
        'implied_nak_seq_err',
        'completer_retry_err',
        'retransmitted_pkts',
        'local_ack_timeout_err',
        'retry_exceeded_err',
        'rcvd_rnr_err',
        'retry_rnr_exceeded_err',
        'send_err',
      ],
    },
    {
      role: 'server',
      counters: ['out_of_sequence', 'icrc_errors', 'send_rnr_err', 'out_of_buffer', 'qkey_violations'],
    },
  ],
  checks: [
    { id: 'calm', text: 'Without a fault, no counter of an error moves.' },
    { id: 'traffic', text: 'Counters of traffic move by what was sent.' },
    { id: 'loss', text: 'Counters of losses and retries move as predicted.' },
    { id: 'receive', text: 'Counters of missing RECVs move as predicted.' },
    { id: 'refused', text: 'Counters of refused requests and packets move as predicted.' },
  ],
  run: runHwCounters,
});
