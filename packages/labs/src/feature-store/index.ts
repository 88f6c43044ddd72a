import { defineLab } from '../form/define.js';
import { featureStoreParams } from './params.js';
import { FEATURE_STORE_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runFeatureStore } from './run.js';

export default defineLab({
  id: 'feature-store',
  title: 'Feature store with a watermark',
  question: 'How can a reader avoid taking a row that is only half written?',
  summary:
    'A writer adds rows to remote memory in several WRITEs, and then raises a watermark. A reader looks after every WRITE.',
  short: 'Feature store',
  why: 'A READ of a half-written row is a success.',
  buildsOn: ['write-read'],
  picture: { sample: 'read', focus: ['server.memory', 'wire'] },
  track: 'ai-data',
  order: 3,
  minutes: 6,
  params: featureStoreParams,
  roles: [
    { name: 'writer', title: 'Writer', text: 'Writes rows and the watermark.' },
    { name: 'reader', title: 'Reader', text: 'Reads the watermark, and then a row.' },
    { name: 'store', title: 'Store', text: 'Has the memory.' },
  ],
  watch: ['completions', 'verbs', 'problems', 'counters', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'torn',
      text: 'In each of 4 epochs the watermark is written first, then the row in 4 WRITEs (by default). How many looks find it torn?',
      figure: 'torn-watermark-first',
    },
    {
      kind: 'choice',
      id: 'one-write',
      text: 'One WRITE brings a whole row of several packets. Can a READ find a part of it?',
      options: [
        { id: 'no', text: 'No, a WRITE is done as a whole' },
        { id: 'yes', text: 'Yes, packet by packet' },
      ],
    },
  ],
  variations: [
    {
      name: 'eight-groups',
      title: 'Eight groups per row',
      params: { groups: 8 },
    },
    { name: 'udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: FEATURE_STORE_QUESTIONS,
  intends: [
    {
      role: 'writer',
      counters: ['local_ack_timeout_err', 'completer_retry_err', 'retransmitted_pkts', 'packet_seq_err'],
    },
    { role: 'store', counters: ['out_of_sequence'] },
  ],
  checks: [
    {
      id: 'row-first',
      text: 'If the row is written first, every row up to the watermark is complete.',
    },
    {
      id: 'watermark-first',
      text: 'If the watermark is written first, the reader takes torn rows.',
    },
    {
      id: 'ignoring',
      text: 'A reader that ignores the watermark takes torn rows.',
    },
    { id: 'one-write', text: 'One WRITE of several packets is not atomic.' },
  ],
  wants: ['faults'],
  run: runFeatureStore,
});
