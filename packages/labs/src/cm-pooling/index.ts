import { defineLab } from '../form/define.js';
import { cmPoolingParams } from './params.js';
import { POLICIES, POLICY_TITLES } from './policies.js';
import { CM_POOLING_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runCmPooling } from './run.js';

const OPTIONS = POLICIES.map((policy) => ({ id: policy, text: POLICY_TITLES[policy] }));

export default defineLab({
  id: 'cm-pooling',
  title: 'Pooling and reconnecting',
  question: 'What does a kept connection save, and how should clients come back after a restart?',
  summary:
    'A client sends requests with a connection each, then over one that it keeps. Then the server restarts, and all clients reconnect by three policies.',
  short: 'Pools, back-off',
  why: 'A restarted server can face all of its clients at once.',
  buildsOn: ['cm-reject'],
  picture: { sample: 'connect', focus: ['client.program', 'wire', 'server.program'] },
  track: 'connections',
  minutes: 8,
  order: 3,
  params: cmPoolingParams,
  roles: [
    {
      name: 'client',
      title: 'Client',
      text: 'Connects, writes, and comes back.',
      count: { param: 'clients' },
    },
    { name: 'server', title: 'Server', text: 'Accepts, goes away, and listens again.' },
  ],
  watch: ['packets', 'verbs', 'completions', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'times-longer',
      text: 'How many times longer does a request with a connection of its own take?',
      figure: 'times-longer',
    },
    {
      kind: 'choice',
      id: 'most-tries',
      text: 'With which policy do clients try most often?',
      options: [...OPTIONS, { id: 'equal', text: 'Several equally often' }],
    },
    {
      kind: 'choice',
      id: 'together',
      text: 'With which do the fewest clients try within 20 ms, after the first try of each?',
      options: [...OPTIONS, { id: 'equal', text: 'The same with several of them' }],
    },
  ],
  variations: [
    { name: 'quick', title: 'Short outage', params: { outage: 150, requests: 8, clients: 2 } },
    { name: 'long', title: 'An outage of 2 s', params: { outage: 2000 } },
    { name: 'crowd', title: 'Eight clients', params: { clients: 8 } },
  ],
  selfChecks: CM_POOLING_QUESTIONS,
  checks: [
    { id: 'requests-done', text: 'Every request succeeds, by both ways.' },
    { id: 'connections-made', text: 'The server accepts a connection per request, or one for all.' },
    { id: 'cm-count', text: 'A connection costs five CM messages; a request over a kept one none.' },
    { id: 'reconnected', text: 'With every policy, all clients come back.' },
    { id: 'told-why', text: 'Failed tries learn that no program listens.' },
    { id: 'pauses-kept', text: 'The pauses follow the policy.' },
  ],
  wants: ['tap', 'link'],
  withoutProgram:
    'The policies are arithmetic in a loop around rdma_connect. The lab on rdma_cm has a program with its calls.',
  run: runCmPooling,
});
