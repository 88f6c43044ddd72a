import { findLab } from '@verbslab/labs';
import type { LoopThreads } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered, type Tampering } from './helpers/lab-results.js';

const queuePerThread = findLab('queue-per-thread');

/** Counts of loops with a lock that are not what the threads did. */
function underLock(over: Partial<LoopThreads>): Tampering {
  let locked = false;
  return {
    args: (op, args) => {
      if (op === 'loop.start' && 'threads' in args) locked = args.threads?.lock !== 'none';
      return args;
    },
    result: (_, result) =>
      locked && 'whole' in result && result.whole?.threads
        ? { ...result, whole: { ...result.whole, threads: { ...result.whole.threads, ...over } } }
        : result,
  };
}

const SHORT = { threads: 4, duration: 20, repeat: 1 };

describe('queues for each thread', () => {
  it('hold with a spinlock', async () => {
    const run = await finishLab(queuePerThread, { params: { ...SHORT, lock: 'spin' } });
    expect(failedChecks(run), JSON.stringify(run.checks)).toEqual([]);
  });

  it.each<{ what: string; failed: string[]; tampering: Tampering }>([
    {
      what: 'a part of the bytes',
      failed: ['same-work'],
      tampering: {
        args: (op, args) =>
          op === 'loop.start' && 'txDepth' in args ? { ...args, size: args.size / 2 } : args,
      },
    },
    {
      what: 'other completions',
      failed: ['same-work'],
      tampering: {
        args: (op, args) => (op === 'loop.start' && 'cqMod' in args ? { ...args, cqMod: 1 } : args),
      },
    },
    {
      what: 'threads that do not have their own queues',
      failed: ['own'],
      tampering: {
        args: (op, args) =>
          op === 'loop.start' && 'qps' in args && args.qps.length > 1
            ? { ...args, qps: args.qps.slice(0, 1), threads: { count: args.qps.length, lock: 'mutex' } }
            : args,
      },
    },
    {
      what: 'a lock that does not exclude, and a thread that waits for itself',
      failed: ['exclusive', 'contended'],
      tampering: underLock({ elapsedNs: 1, contended: 1 }),
    },
  ])('notice $what', async ({ failed, tampering }) => {
    let seen: string[] = [];
    // On a busy machine the threads may run one after the other, without disturbing each other.
    for (let tries = 0; tries < 5 && seen.length === 0; tries++) {
      const run = await finishLab(tampered(queuePerThread, tampering), { params: { ...SHORT, threads: 2 } });
      seen = failedChecks(run);
    }
    expect(seen).toEqual(failed);
  });

  it('need an agent that can measure with threads', async () => {
    const old = tampered(queuePerThread, {
      result: (_, result) =>
        'whole' in result && result.whole ? { ...result, whole: { ...result.whole, threads: null } } : result,
    });
    await expect(finishLab(old, { params: SHORT })).rejects.toMatchObject({
      info: { code: 'MISSING_CAPABILITY', cure: expect.stringContaining('Update') as string },
    });
  });
});
