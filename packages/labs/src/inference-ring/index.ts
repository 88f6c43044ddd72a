import { defineLab } from '../form/define.js';
import { INFERENCE_RING_RULES, inferenceRingParams } from './params.js';
import { INFERENCE_RING_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runInferenceRing } from './run.js';

export default defineLab({
  id: 'inference-ring',
  title: 'A ring of inference requests',
  question: 'How does a client hand over batches of requests, and how large should a batch be?',
  summary:
    'A client WRITEs requests into a ring in the server’s memory, and then notifies the server of the batch by a WRITE_WITH_IMM without a byte. You see credits protect the ring, what happens without them and without a RECV, and how the batch size trades latency for rate.',
  track: 'ai-data',
  order: 5,
  minutes: 7,
  params: inferenceRingParams,
  rules: INFERENCE_RING_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'WRITEs requests, and collects results.' },
    {
      name: 'server',
      title: 'Server',
      text: 'Has the ring and the model. Sleeps until a batch is announced.',
    },
  ],
  watch: ['completions', 'verbs', 'problems', 'counters', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'overwritten',
      text: 'The client ignores credits and writes half a ring more than there are slots (32 by default). How many requests are overwritten before the server reads them?',
      unit: 'requests',
      figure: 'overwritten',
    },
    {
      kind: 'choice',
      id: 'status',
      text: 'Which status tells that a slot was overwritten?',
      options: [
        { id: 'client', text: 'One at the client' },
        { id: 'server', text: 'One at the server' },
        { id: 'none', text: 'None' },
      ],
    },
  ],
  variations: [
    {
      name: 'one-by-one',
      title: 'Batches of one',
      text: 'One RECV and one notification per request.',
      params: { batch: 1 },
    },
    {
      name: 'odd',
      title: 'Batches of three in 16 slots',
      text: 'A batch goes past the end of the ring, in two runs of slots.',
      params: { slots: 16, batch: 3 },
    },
    {
      name: 'large-requests',
      title: '1024 features',
      text: 'A request costs more, so it has a larger share of the time of a batch.',
      params: { features: 1024 },
    },
    { name: 'udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: INFERENCE_RING_QUESTIONS,
  intends: [{ role: 'server', counters: ['send_rnr_err'] }],
  checks: [
    { id: 'order', text: 'The server is notified of the batches in their order.' },
    { id: 'zero-length', text: 'A batch takes one RECV, and its notification has no bytes.' },
    { id: 'intact', text: 'All requests of a batch are there when the server is notified.' },
    { id: 'results', text: 'Every result comes back, with the right score.' },
    { id: 'credits', text: 'With credits no slot is overwritten, and no RECV is missing.' },
    {
      id: 'overflow',
      text: 'Without credits slots are overwritten: sequence numbers show it, completions do not.',
    },
    { id: 'rnr', text: 'Without a RECV the requests arrive, and the notification waits.' },
  ],
  wants: ['counters'],
  run: runInferenceRing,
});
