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
    'A client WRITEs requests into a ring in the server’s memory, and notifies the server of each batch. You see what credits protect.',
  short: 'Inference ring',
  why: 'A larger batch can raise the rate, and lengthens the wait.',
  buildsOn: ['write-imm'],
  picture: { sample: 'write-imm', focus: ['server.memory', 'server.cq', 'server.rq', 'wire'] },
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
      text: 'Has the ring and the model.',
    },
  ],
  watch: ['completions', 'verbs', 'problems', 'counters', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'overwritten',
      text: 'The client ignores credits and writes half a ring more than there are slots (32 by default). How many requests are overwritten?',
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
      params: { batch: 1 },
    },
    {
      name: 'odd',
      title: 'Batches of three in 16 slots',
      params: { slots: 16, batch: 3 },
    },
    {
      name: 'large-requests',
      title: '1024 features',
      params: { features: 1024 },
    },
    { name: 'udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: INFERENCE_RING_QUESTIONS,
  intends: [{ role: 'server', counters: ['send_rnr_err'] }],
  checks: [
    { id: 'order', text: 'The server is notified of the batches in order.' },
    { id: 'zero-length', text: 'A batch takes one RECV; its notification has no bytes.' },
    { id: 'intact', text: 'All requests of a batch are there at its notification.' },
    { id: 'results', text: 'Every result comes back, with the right score.' },
    { id: 'credits', text: 'With credits no slot is overwritten, and no RECV is missing.' },
    {
      id: 'overflow',
      text: 'Without credits slots are overwritten, and no completion shows it.',
    },
    { id: 'rnr', text: 'Without a RECV the requests arrive; the notification waits.' },
  ],
  wants: ['counters'],
  run: runInferenceRing,
});
