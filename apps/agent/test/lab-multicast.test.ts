import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { figures, LINKS, outcomes, rows, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

describe('multicast', () => {
  it.each(LINKS)('on the link %s: one packet reaches every attached receiver', async (link) => {
    const lab = await runLab('multicast', {}, { UROCE_LINK: link });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks.some(({ applies }) => applies === false)).toBe(false);
    expect(figures(lab)).toEqual({ reached: 3, sent: 1, answers: 0 });
    const arrivals = rows(lab, 'arrivals');
    expect(arrivals.map(({ byteLen }) => byteLen)).toEqual([104, 104, 104, 104, 104]);
    expect(arrivals.slice(0, 3).map(({ destGid }) => destGid)).toEqual(Array(3).fill('::ffff:239.1.2.3'));
    expect(rows(lab, 'address').map(({ value }) => value)).toContain('01:00:5e:01:02:03');
    expect(outcomes(lab)).toEqual({ outsider: 'nothing' });
  });

  it('fails where the outsider is attached too', async () => {
    let attached = false;
    const attach = meddle('outsider', 'postRecv', async (args, endpoint) => {
      if (!attached) await endpoint.call('attachMulticast', { qp: args.qp, gid: '::ffff:239.1.2.3' });
      attached = true;
      return args;
    });
    expect(await unmetUnder([attach], 'multicast')).toEqual(['outsider']);
  });

  it('fails where a receiver is in another group', async () => {
    const elsewhere = (['attachMulticast', 'detachMulticast'] as const).map((op) =>
      meddle('receiver-1', op, (args) => ({ ...args, gid: '::ffff:239.9.9.9' })),
    );
    expect(await unmetUnder(elsewhere, 'multicast')).toEqual(['all', 'grh']);
  });
});
