import { describe, expect, it } from 'vitest';
import { startLoop, type LoopThreadOptions, type RdmaLoopOptions } from '../src/index.js';
import { pair, thrown } from './helpers.js';

type Two = ReturnType<typeof pair>;

const THREADS = 3;
const initiator = (two: Two, threads: LoopThreadOptions, more: Partial<RdmaLoopOptions> = {}) =>
  startLoop({
    role: 'initiator',
    measure: 'bandwidth',
    op: 'write',
    size: 64,
    qps: [two.a.qp],
    mr: two.a.mr,
    remote: two.b.mr.remote(),
    txDepth: 16,
    cqMod: 4,
    threads,
    ...more,
  });

describe('loops of several threads', () => {
  it.each(['mutex', 'spin'] as const)('share a QP under a lock: %s', async (lock) => {
    using two = pair();
    const loop = initiator(two, { count: THREADS, lock }, { iterations: 3000 });
    const { messages, reason, whole } = await loop.result;
    expect({ messages, reason }).toEqual({ messages: 3000, reason: 'iterations' });
    expect(whole).toMatchObject({ signaled: 750, completions: 750 });
    const { threads } = whole;
    expect(threads).toMatchObject({ messages: [1000, 1000, 1000], posts: 3000 });
    expect(threads!.postNs + threads!.pollNs).toBeLessThanOrEqual(threads!.elapsedNs);
  });

  it('are refused without one, or with more requests than the QP holds', () => {
    using two = pair();
    expect(thrown(() => initiator(two, { count: 2, lock: 'none' }, { iterations: 1 }))).toMatchObject({
      code: 'EINVAL',
      message: expect.stringContaining('need a lock') as string,
    });
    const { maxSendWr } = two.a.qp.capabilities;
    expect(
      thrown(() => initiator(two, { count: 2, lock: 'mutex' }, { iterations: 1, txDepth: maxSendWr })),
    ).toMatchObject({ code: 'EINVAL', message: expect.stringContaining('send queue') as string });
    expect(thrown(() => initiator(two, { count: 65, lock: 'mutex' }, { iterations: 1 }))).toMatchObject({
      message: expect.stringContaining('threads.count') as string,
    });
  });

  it('are not counted in a loop of one thread', async () => {
    using two = pair();
    const loop = startLoop({
      role: 'initiator',
      measure: 'bandwidth',
      op: 'write',
      size: 64,
      qps: [two.a.qp],
      mr: two.a.mr,
      remote: two.b.mr.remote(),
      txDepth: 16,
      iterations: 10,
    });
    expect((await loop.result).whole.threads).toBeNull();
  });
});
