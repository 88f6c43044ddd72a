import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { unmetUnder } from './helpers/lab-run.js';

const ID = 'unreliable-connection';

describe('the unreliable connection', () => {
  const ofType = (type: 'UC' | 'RC') =>
    ['client', 'server'].map((role) => meddle(role, 'createQp', (args) => ({ ...args, type })));

  it('notices ACKs on UC, and messages that UC should have lost', async () => {
    // A spare RECV, for the message that arrives if nothing is lost.
    const spare = meddle('server', 'postRecv', async (args, endpoint) => {
      await endpoint.call('postRecv', args);
      return args;
    });
    expect(await unmetUnder([...ofType('RC'), spare], ID)).toEqual(['no-acks', 'uc-silent', 'uc-partial']);
  });

  it('notices an RC without ACKs, which does not repair a loss', async () => {
    expect(await unmetUnder(ofType('UC'), ID)).toEqual(['rc-acks', 'rc-repairs', 'rc-whole']);
  });

  it('notices that no packet was dropped', async () => {
    expect(await unmetUnder([meddle('client', 'faults', () => ({}))], ID)).toEqual([
      'uc-silent',
      'uc-partial',
      'rc-repairs',
      'rc-whole',
    ]);
  });

  it('notices other data at the server than the client wrote', async () => {
    const shifted = meddle('server', 'hashMemory', ({ mr, offset, length }) => ({
      mr,
      offset: offset + 1,
      length: length - 1,
    }));
    expect(await unmetUnder([shifted], ID)).toEqual(['uc-arrives', 'rc-arrives', 'rc-whole']);
  });
});
