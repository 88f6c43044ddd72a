import { findLab } from '@verbslab/labs';
import { RC } from '@verbslab/roce';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered, withoutPacket } from './helpers/lab-results.js';
import { rows, runLab, unmet } from './helpers/lab-run.js';

const SHORT = { repeat: 1, large: 1024 };

describe('an all-to-all exchange', () => {
  it.each([
    [2, { messages: 1, blocks: 1 }, { messages: 1, blocks: 1 }],
    [5, { messages: 4, blocks: 4 }, { messages: 3, blocks: 5 }],
    [8, { messages: 7, blocks: 7 }, { messages: 3, blocks: 12 }],
  ])(
    'among %d hosts moves every block, with the messages of the formulas',
    async (hosts, pairwise, bruck) => {
      const lab = await runLab('all-to-all', { ...SHORT, hosts });
      expect(unmet(lab)).toEqual([]);
      const [first, second] = rows(lab, 'counts');
      expect(first).toMatchObject({ ...pairwise, packets: 2 * hosts * pairwise.messages });
      expect(second).toMatchObject({ ...bruck, packets: 2 * hosts * bruck.messages });
    },
  );

  it('needs a message for each block where a device gathers nothing', async () => {
    const whole = findLab('all-to-all');
    const lab: typeof whole = {
      ...whole,
      run: (ctx) =>
        whole.run({
          ...ctx,
          endpoints: (role) =>
            ctx.endpoints(role).map((endpoint) => ({
              name: endpoint.name,
              device: {
                ...endpoint.device,
                limits: { ...endpoint.device.limits, maxSge: 1 },
              },
              has: (capability) => endpoint.has(capability),
              call: (op, args) => endpoint.call(op, args),
            })),
        }),
    };
    const found = await finishLab(lab, { params: SHORT });
    expect(failedChecks(found)).toEqual([]);
    expect(found.results.figures['messages-bruck']?.value).toBe(4);
    expect(found.results.figures['blocks-bruck']?.value).toBe(4);
  });

  it('notices a block that is not what was sent, and packets that are missing', async () => {
    let first = true;
    const lab = tampered(findLab('all-to-all'), {
      args: (op, args, endpoint) => {
        if (op !== 'postAndWait' || endpoint !== 'host-2' || !first || !('wr' in args)) return args;
        first = false;
        // The host sends its own block instead of the one for its peer.
        const local = args.wr.local!.map((sge) => ({ ...sge, offset: 64 }));
        return { ...args, wr: { ...args.wr, local } };
      },
      result: withoutPacket('host-1', RC.writeOnly),
    });
    expect(failedChecks(await finishLab(lab, { params: SHORT })).sort()).toEqual([
      'counters',
      'data',
      'messages',
      'packets',
    ]);
  });

  it('notices a message that a host did not send', async () => {
    const lab = tampered(findLab('all-to-all'), {
      result: (op, result, endpoint) =>
        op === 'postAndWait' && endpoint === 'host-3' && 'completions' in result
          ? { ...result, completions: [] }
          : result,
    });
    await expect(finishLab(lab, { params: SHORT })).rejects.toThrow(/completion of the WRITE/);
  });
});
