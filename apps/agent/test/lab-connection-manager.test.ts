import { findLab } from '@verbslab/labs';
import type { EndpointHandle, LabContext } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startLab } from './endpoint-harness.js';
import { figures, LINKS, outcomes, rows, runLab, unmet } from './helpers/lab-run.js';

const ID = 'connection-manager';

/** Base64 of an address and an rkey that the server never registered. */
const WRONG = Buffer.from('00000000deadbeef00000001', 'hex').toString('base64');

/** The lab with a server that tells a wrong address. */
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
  it.each(LINKS)('on the link %s: connects, moves data, is rejected, and ends', async (link) => {
    const lab = await runLab(ID, {}, { UROCE_LINK: link });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks.some(({ applies }) => applies === false)).toBe(false);
    const found = figures(lab);
    expect(found).toMatchObject({ reason: 28, 'udp-setup': 2 });
    if (link === 'udp') expect(found['udp-data']).toBeGreaterThan(0);
    else expect(found['udp-data']).toBe(0);
    for (const name of ['cm-setup', 'hand-setup', 'cm-write', 'hand-write'])
      expect(found[name]).toBeGreaterThan(0);
    expect(rows(lab, 'messages').map(({ message, qpn }) => [message, qpn])).toEqual([
      ['ConnectRequest', 1],
      ['ConnectReply', 1],
      ['ReadyToUse', 1],
      ['DisconnectRequest', 1],
      ['DisconnectReply', 1],
      ['ConnectRequest', 1],
      ['ConnectReject', 1],
    ]);
    const connects = rows(lab, 'trace').filter(({ call }) => call === 'rdma_connect');
    expect(connects.map(({ way, event }) => [way, event])).toEqual([
      ['rdma_cm', 'ESTABLISHED'],
      ['rejected', 'REJECTED'],
    ]);
    expect(outcomes(lab)).toEqual({ 'who-moves': 'library' });
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

  it.each([
    ['size', 65_537, 'maximum of 64 KiB'],
    ['size', 0, 'minimum of 1 B'],
    ['turns', 65, 'maximum of 64'],
    ['turns', 0, 'minimum of 1'],
  ])('refuses %s %i and names the range', (name, value, range) => {
    expect(() => findLab(ID).parse({ [name]: value })).toThrow(range);
  });
});
