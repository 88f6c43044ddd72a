import type { TransportResult, VerbCall } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { cheapest } from '../src/bulk/questions.js';
import { serverDid, whoCompletes } from '../src/minimal-flow/questions.js';

/** A result over seven rounds between these costs: enough for a verdict. */
function rounds([min, max]: [number, number]): TransportResult {
  return {
    cpuSecondsPerGB: { app: 0, nic: null, kernel: (min + max) / 2 },
    rounds: Array.from({ length: 7 }, () => ({})),
    spread: { cpuSecondsPerGB: { min, max } },
  } as unknown as TransportResult;
}

describe('the prediction of the bulk lab', () => {
  const found = (shm: TransportResult, rdma: TransportResult, tcp?: TransportResult) =>
    cheapest({ shm, rdma, tcp } as never);
  const [little, much] = [rounds([0.4, 0.5]), rounds([0.8, 0.9])];
  it('is answered by a transport that clearly takes less than both others', () => {
    expect(found(little, much, rounds([0.2, 0.3]))).toBe('tcp');
    expect(found(little, much, much)).toBe('shm');
  });
  it('is left open where ranges overlap, or a transport was not measured', () => {
    expect(found(little, rounds([0.45, 0.6]), much)).toBeNull();
    expect(found(little, much)).toBeNull();
  });
});

describe('the predictions of the minimal flow', () => {
  const calls = (...names: string[]) => names.map((call) => ({ call }) as VerbCall);
  it('are answered by the calls of the server, and by whose completion queue has entries', () => {
    expect(serverDid([])).toBe('nothing');
    expect(serverDid(calls('ibv_poll_cq', 'ibv_post_recv'))).toBe('recv');
    expect(serverDid(calls('ibv_poll_cq'))).toBe('polls');
    expect(serverDid(calls('ibv_query_qp'))).toBeNull();
    expect([whoCompletes(1, 0), whoCompletes(0, 1), whoCompletes(1, 1), whoCompletes(0, 0)]).toEqual([
      ...['client', 'server', 'both'],
      null,
    ]);
  });
});
