import { findLab } from '@verbslab/labs';
import type { EndpointHandle, LabContext } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startLab } from './endpoint-harness.js';
import { figures, runLab, unmet } from './helpers/lab-run.js';

const ID = 'connection-manager';

/** Base64 of an address and an rkey that the server never registered. */
const WRONG = Buffer.from('00000000deadbeef00000001', 'hex').toString('base64');

/** The lab with a server that announces a wrong address. */
function misled() {
  const lab = findLab(ID);
  const changed = (endpoint: EndpointHandle): EndpointHandle =>
    new Proxy(endpoint, {
      get(target, name) {
        if (name !== 'call') {
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        }
        const call: EndpointHandle['call'] = (op, args) =>
          target.call(op, op === 'cm.accept' ? { ...args, privateData: WRONG } : args);
        return call;
      },
    });
  return {
    ...lab,
    run: (ctx: LabContext<unknown>) =>
      lab.run({
        ...ctx,
        endpoint: (name) => (name === 'server' ? changed(ctx.endpoint(name)) : ctx.endpoint(name)),
      }),
  };
}

describe('the connection manager as a lab', () => {
  it.each([
    ['udp', 'udp'],
    ['shm', 'shm'],
  ])('sends the data of both connections through the link that was chosen (%s)', async (chosen, link) => {
    const lab = await runLab(ID, { link: chosen });
    expect(unmet(lab)).toEqual([]);
    // The first connection is made by rdma_cm, the second by hand.
    expect(lab.recording.of('link').map((event) => event.link)).toEqual([link, link]);
    const sends = figures(lab)['udp-data'];
    if (link === 'udp') expect(sends).toBeGreaterThan(0);
    else expect(sends).toBe(0);
  });

  it('refuses shared memory in processes without it, and says what to do', async () => {
    const lab = await startLab(findLab(ID), { params: { link: 'shm' }, env: { UROCE_LINK: 'udp' } });
    onTestFinished(() => lab.close());
    await expect(lab.finished).rejects.toMatchObject({ code: 'MISSING_CAPABILITY' });
  });

  it.each([
    ['of one byte', 1],
    ['of many packets', 65_536],
  ])('moves messages %s', async (_, size) => {
    const lab = await runLab(ID, { size, turns: 3 });
    expect(unmet(lab)).toEqual([]);
  });

  it('sees that private data names other memory, and that no data arrives', async () => {
    const lab = await startLab(misled(), { params: {} });
    onTestFinished(() => lab.close());
    await lab.finished;
    const failed = unmet(lab).map(({ id }) => id);
    expect(failed).toContain('private-data');
    expect(failed).toContain('cm-data');
    expect(failed).not.toContain('client-events');
    expect(failed).not.toContain('by-hand');
  });
});
