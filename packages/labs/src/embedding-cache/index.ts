import { defineLab } from '../form/define.js';
import { EMBEDDING_CACHE_RULES, embeddingCacheParams } from './params.js';
import { EMBEDDING_CACHE_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runEmbeddingCache } from './run.js';

export default defineLab({
  id: 'embedding-cache',
  title: 'Embedding cache',
  question: 'What does a cache before a remote table save, and when is it stale?',
  summary:
    'Readers look rows up through a cache. Then a trainer changes cached rows and invalidates them, in four ways.',
  short: 'Embedding cache',
  why: 'A few percent of the rows can get most lookups.',
  buildsOn: ['write-imm', 'write-read'],
  picture: { sample: 'read', focus: ['client.memory', 'server.memory', 'wire'] },
  track: 'ai-data',
  order: 2,
  minutes: 8,
  params: embeddingCacheParams,
  rules: EMBEDDING_CACHE_RULES,
  roles: [
    {
      name: 'reader',
      title: 'Reader',
      text: 'Looks rows up through its cache.',
      count: { param: 'readers' },
    },
    { name: 'trainer', title: 'Trainer', text: 'Changes rows and invalidates them.' },
    { name: 'table', title: 'Table', text: 'Has all rows.' },
  ],
  watch: ['completions', 'packets', 'verbs', 'checks'],
  wants: ['tap'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'hit-rate',
      text: 'The cache holds 64 of 512 rows, and rank k is drawn in proportion to 1 / k (by default). Which share hits?',
      unit: '%',
      figure: 'hit-rate',
    },
    {
      kind: 'choice',
      id: 'trust',
      text: 'The trainer’s WRITE and its WRITE_WITH_IMM to every reader have completed. Can a reader still use the old row?',
      options: [
        { id: 'no', text: 'No' },
        { id: 'yes', text: 'Yes' },
      ],
    },
    {
      kind: 'choice',
      id: 'order',
      text: 'The trainer invalidates, waits for all answers, and then changes the row. What can happen?',
      options: [
        { id: 'safe', text: 'Nothing' },
        { id: 'stale', text: 'A reader reads and keeps the old row' },
      ],
    },
  ],
  variations: [
    {
      name: 'even',
      title: 'No skew',
      params: { skew: 0 },
    },
    { name: 'steep', title: 'Skew 1.3', params: { skew: 1.3 } },
    {
      name: 'four',
      title: 'Four readers',
      params: { readers: 4 },
    },
    { name: 'udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: EMBEDDING_CACHE_QUESTIONS,
  checks: [
    { id: 'hit-rate', text: 'The hit rate is as computed, within chance.' },
    { id: 'reads', text: 'Each miss sends one READ request, a hit none.' },
    { id: 'cached', text: 'A cached row has the bytes of its id.' },
    { id: 'acknowledged', text: 'After the readers’ answers no reader uses an old row.' },
    { id: 'completion', text: 'The trainer’s completion does not prevent old rows.' },
    { id: 'too-early', text: 'An early invalidation leaves old rows in caches.' },
    {
      id: 'under-way',
      text: 'A READ under way brings an old row back, unless discarded.',
    },
  ],
  run: runEmbeddingCache,
});
