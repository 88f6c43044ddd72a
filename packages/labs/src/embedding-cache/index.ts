import { defineLab } from '../form/define.js';
import { EMBEDDING_CACHE_RULES, embeddingCacheParams } from './params.js';
import { EMBEDDING_CACHE_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runEmbeddingCache } from './run.js';

export default defineLab({
  id: 'embedding-cache',
  title: 'Embedding cache',
  question:
    'How much does a small cache save in front of a remote table, and when may it still hold an old row?',
  summary:
    'Readers look up embeddings by id. A hit costs no packet, a miss is one READ. Then a trainer changes rows that are in every cache and invalidates them by immediate data, in four ways. You see the hit rate beside its formula, what a lookup costs, and which of the ways let a reader use an old row.',
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
    { name: 'table', title: 'Table', text: 'Has all rows in its memory. Its program does nothing.' },
  ],
  watch: ['completions', 'packets', 'verbs', 'checks'],
  wants: ['tap'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'hit-rate',
      text: 'The cache holds a part of the table (64 of 512 rows by default), and the id of rank k is drawn in proportion to 1 / k. Which share of the lookups hits?',
      unit: '%',
      figure: 'hit-rate',
    },
    {
      kind: 'choice',
      id: 'trust',
      text: 'The trainer’s WRITE and its WRITE_WITH_IMM to every reader have completed. Can a reader still use the old row?',
      options: [
        { id: 'no', text: 'No, the readers have been told' },
        { id: 'yes', text: 'Yes, until its program takes the notification' },
      ],
    },
    {
      kind: 'choice',
      id: 'order',
      text: 'The trainer invalidates first, waits for all answers, and then changes the row. What can happen?',
      options: [
        { id: 'safe', text: 'Nothing: no cache holds the row when it changes' },
        { id: 'stale', text: 'A reader reads the old row again in between and keeps it' },
      ],
    },
  ],
  variations: [
    {
      name: 'even',
      title: 'No skew',
      text: 'The hit rate is the share of rows that fit.',
      params: { skew: 0 },
    },
    { name: 'steep', title: 'Skew 1.3', text: 'A few rows get most of the lookups.', params: { skew: 1.3 } },
    {
      name: 'four',
      title: 'Four readers',
      text: 'An update waits for four answers.',
      params: { readers: 4 },
    },
    { name: 'udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: EMBEDDING_CACHE_QUESTIONS,
  checks: [
    { id: 'hit-rate', text: 'The hit rate is the computed one, within what chance allows.' },
    { id: 'reads', text: 'Each miss sends one READ request, and a hit sends none.' },
    { id: 'cached', text: 'A cached row has the bytes of its id.' },
    { id: 'acknowledged', text: 'After the readers’ answers no reader uses an old row.' },
    { id: 'completion', text: 'The trainer’s completion does not keep readers from using an old row.' },
    { id: 'too-early', text: 'An invalidation before the WRITE leaves old rows in caches.' },
    {
      id: 'under-way',
      text: 'A READ that was under way brings an old row back, unless the reader discards it.',
    },
  ],
  run: runEmbeddingCache,
});
