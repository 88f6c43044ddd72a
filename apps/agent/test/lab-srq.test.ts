import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { rows, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

describe('a shared receive queue', () => {
  it('runs with a limit of 1, where the pool is empty at the event', async () => {
    const lab = await runLab('srq', { clients: 2, recvs: 4, limit: 1 });
    expect(unmet(lab)).toEqual([]);
    expect(rows(lab, 'pool')[1]).toEqual({ left: 0, event: 'SRQ_LIMIT_REACHED' });
  });

  it('fails where a message does not hold the bytes of its client', async () => {
    const halved = meddle('client-1', 'postSend', (args) => ({
      ...args,
      wr: { ...args.wr, local: args.wr.local!.map((sge) => ({ ...sge, length: 64 })) },
    }));
    const params = { clients: 2, recvs: 4, size: 128, limit: 2 };
    expect(await unmetUnder([halved], 'srq', params)).toEqual(['told-apart']);
  });

  it('fails where the event comes one RECV too early', async () => {
    const early = meddle('server', 'modifySrq', (args) => ({ ...args, limit: args.limit! + 1 }));
    expect(await unmetUnder([early], 'srq', { clients: 2, recvs: 4, limit: 2 })).toEqual(['limit-event']);
  });
});
