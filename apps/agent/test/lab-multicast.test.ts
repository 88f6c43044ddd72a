import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { unmetUnder } from './helpers/lab-run.js';

describe('multicast', () => {
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
