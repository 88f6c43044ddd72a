import { defineLab } from '../form/define.js';
import { incastParams } from './params.js';
import { INCAST_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runIncast } from './run.js';

/** Counters that grow at a server that cannot keep up. */
const OVERLOAD = [
  'local_ack_timeout_err',
  'completer_retry_err',
  'retransmitted_pkts',
  'packet_seq_err',
  'rnr_nak_retry_err',
  'rcvd_rnr_err',
];

export default defineLab({
  id: 'incast',
  title: 'Incast',
  question: 'What happens when many clients send to one server at once?',
  summary:
    'More and more clients send as much as they can to one server, while another makes small requests. You see who waits.',
  short: 'Incast',
  why: 'Small requests can wait behind data that is not theirs.',
  buildsOn: ['send-recv', 'delay-and-window'],
  picture: { sample: 'many-writes', focus: ['server.device', 'server.memory', 'wire'] },
  track: 'many-hosts',
  order: 3,
  minutes: 8,
  withoutProgram:
    'Incast needs a process for each client. perftest does it without code: run ib_write_bw with verbslab exec, with a server and a port for each client.',
  params: incastParams,
  roles: [
    { name: 'server', title: 'Server', text: 'Is the target of all.' },
    {
      name: 'client',
      title: 'Client',
      text: 'Sends as much as it can.',
      count: { param: 'clients' },
    },
    { name: 'probe', title: 'Probe', text: 'Writes 64 bytes, one message at a time.' },
  ],
  watch: ['problems', 'counters', 'verbs', 'checks'],
  wants: ['counters'],
  results: RESULTS,
  intends: [
    { role: 'server', counters: ['send_rnr_err', 'out_of_sequence', 'udp_receive_overruns'] },
    { role: 'client', counters: OVERLOAD },
    { role: 'probe', counters: OVERLOAD },
  ],
  predictions: [
    {
      kind: 'number',
      id: 'share',
      text: 'One client alone has a goodput of 100 %. How much does each get when all send?',
      unit: '%',
      figure: 'share',
    },
    {
      kind: 'choice',
      id: 'latency',
      text: 'How much longer does a small request to the same server take then?',
      options: [
        { id: 'same', text: 'Less than 2 times as long' },
        { id: 'some', text: '2 to 10 times as long' },
        { id: 'much', text: 'At least 10 times as long' },
      ],
    },
  ],
  variations: [
    {
      name: 'quick',
      title: 'Quick',
      params: { duration: 40, repeat: 2 },
    },
    {
      name: 'rnr',
      title: 'The server runs out of RECVs',
      params: { op: 'send', recvs: 1 },
    },
    {
      name: 'small-window',
      title: 'A small window',
      params: { window: 1 },
    },
    { name: 'eight', title: 'Eight clients', params: { clients: 8 } },
    {
      name: 'rings',
      title: 'A ring per connection',
      params: { link: 'auto' },
    },
  ],
  selfChecks: INCAST_QUESTIONS,
  checks: [
    { id: 'arrived', text: 'What the clients send arrives.' },
    { id: 'less', text: 'A client among many gets less than alone.' },
    { id: 'waits', text: 'Where all share a queue, a small request takes longer.' },
    { id: 'limit', text: 'The server’s device reports CPU time for its NIC work.' },
    { id: 'rnr', text: 'WRITEs get no RNR NAK, SENDs some with too few RECVs.' },
  ],
  run: runIncast,
});
