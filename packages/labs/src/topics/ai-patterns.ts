/** A5: communication patterns of AI and ML. */
import { fact, shown, type Topic } from './topic.js';

export const AI_PATTERNS: readonly Topic[] = [
  {
    id: 'A5',
    title: 'Patterns of AI and ML',
    expected: [
      shown(
        'parameter server: push and pull',
        [{ lab: 'parameter-server', checks: ['silent', 'lockstep', 'turns', 'model'], curves: ['distance'] }],
        fact('ai-data', 'staleness: 2'),
      ),
      shown(
        'gradient chunks {layer_id, offset, payload} with a sequence number in the immediate, their order asserted',
        [{ lab: 'parameter-server', checks: ['order', 'headers'], tables: ['chunks'] }],
        fact('ai-data', '`0x0001000${i}`'),
      ),
      shown(
        'embedding cache: READ on a miss, WRITE of an update, invalidation by immediate',
        [
          {
            lab: 'embedding-cache',
            checks: ['hit-rate', 'reads', 'acknowledged', 'completion', 'too-early', 'under-way'],
            tables: ['ways'],
          },
        ],
        fact('ai-data', "'stale-acknowledged': 0"),
      ),
      shown(
        'feature store: a row, and then the watermark epoch',
        [
          {
            lab: 'feature-store',
            checks: ['row-first', 'watermark-first', 'ignoring', 'one-write'],
            tables: ['story'],
          },
        ],
        fact('ai-data', "'torn-watermark-first': 12"),
      ),
      shown(
        'rendezvous by immediate: RTS, CTS, and the immediate 1 for ready, beside eager messages with a copy',
        [
          {
            lab: 'rendezvous',
            checks: ['waits', 'ready', 'bounce', 'fin', 'too-long', 'bytes'],
            figures: ['formula', 'crossover-write', 'crossover-read', 'held-eager', 'held-rendezvous'],
            tables: ['ways', 'sizes'],
            curves: ['times', 'parts'],
            selfChecks: ['crossover'],
          },
        ],
        fact('ai-data', "immediate: 1, 'copies-eager': 2"),
      ),
      shown(
        'inference batch ring: WRITEs, and a WRITE_WITH_IMM of no bytes with the batch id; credits, overflow, no RECV',
        [
          {
            lab: 'inference-ring',
            checks: ['order', 'zero-length', 'intact', 'results', 'credits', 'overflow', 'rnr'],
            figures: ['knee', 'fixed', 'each'],
            tables: ['batches', 'ring', 'sizes'],
            curves: ['rate', 'latency'],
          },
        ],
        fact('ai-data', "notifications: 6, 'in-flight': 6, overwritten: 4"),
      ),
      shown(
        'checkpoint staging: WRITE, a verifying READ, a torn checkpoint found, the record last',
        [
          {
            lab: 'checkpoint-staging',
            checks: [
              'ack',
              'data-first',
              'record-first',
              'in-place',
              'verify',
              'together',
              'death',
              'untold',
            ],
            figures: ['serial', 'overlapped', 'saved', 'placed'],
            tables: ['crashes'],
            selfChecks: ['ack'],
          },
        ],
        fact('ai-data', "'torn-data-first': 0, 'torn-record-first': 4"),
      ),
      shown(
        'GPU-direct staging, as a concept: a copy on the way beside a WRITE from the buffer itself',
        [
          {
            lab: 'checkpoint-staging',
            figures: ['path-direct', 'path-staged', 'path-copy'],
            tables: ['paths'],
            curves: ['by-size'],
          },
        ],
        fact('ai-data', "rows('paths').map(({ size }) => size)"),
      ),
    ],
  },
];
