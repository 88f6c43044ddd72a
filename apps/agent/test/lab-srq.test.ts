import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { figures, LINKS, outcomes, rows, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

describe('a shared receive queue', () => {
  it.each(LINKS)('serves any client, warns once, and runs dry for all (link %s)', async (link) => {
    const lab = await runLab('srq', { link, clients: 3, recvs: 6, size: 128, limit: 2 });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks).toHaveLength(5);
    const messages = rows(lab, 'messages');
    expect(messages.map(({ recv, client, data }) => [recv, client, data])).toEqual([
      ...[0, 1, 2, 3, 4].map((recv) => [recv, 1, 'of this client']),
      [5, 3, 'of this client'],
    ]);
    expect(new Set(messages.map(({ qpn }) => qpn)).size).toBe(2);
    expect(rows(lab, 'pool').slice(0, 2)).toEqual([
      { left: 2, event: 'none' },
      { left: 1, event: 'SRQ_LIMIT_REACHED' },
    ]);
    expect(figures(lab)).toMatchObject({ 'pool-bytes': 768, 'separate-bytes': 2304, armed: 0 });
    expect(figures(lab).naks).toBeGreaterThan(0);
    expect(outcomes(lab)).toEqual({ 'who-takes': 'any' });
  });

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
