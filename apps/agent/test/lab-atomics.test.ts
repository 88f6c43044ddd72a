import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { figures, LINKS, rows, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

const way = (lab: Awaited<ReturnType<typeof runLab>>, name: string) =>
  rows(lab, 'ways').find((row) => row.way === name)!;

describe('atomics', () => {
  it.each(LINKS)('lose nothing where READ and WRITE do (link %s)', async (link) => {
    const lab = await runLab('atomics', { link, clients: 4, increments: 10 });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks).toHaveLength(6);
    expect(way(lab, 'FETCH_ADD')).toMatchObject({ increments: 40, counter: 40, lost: 0, requests: 40 });
    expect(way(lab, 'READ, then WRITE')).toMatchObject({ counter: 10, lost: 30, requests: 80 });
    const swapped = way(lab, 'READ, then CMP_SWAP');
    expect(swapped).toMatchObject({ counter: 40, lost: 0 });
    // A READ per client, and at least one swap per increment.
    expect(swapped.requests).toBeGreaterThanOrEqual(44);
    expect(figures(lab)).toMatchObject({ lost: 30, misaligned: 9, 'no-right': 10 });
    expect(figures(lab).swaps).toBe(((swapped.requests as number) - 4) / 40);
    expect(rows(lab, 'refused').map(({ counter }) => counter)).toEqual(['as before', 'as before']);
    expect(rows(lab, 'times').map(({ operation, n }) => [operation, n])).toEqual([
      ['FETCH_ADD', 25],
      ['READ', 25],
      ['WRITE', 25],
    ]);
  });

  it('has one endpoint per client, and refuses a number beyond its range', async () => {
    const lab = await runLab('atomics', { clients: 2, increments: 1 });
    expect(unmet(lab)).toEqual([]);
    expect(figures(lab).lost).toBe(1);
    await expect(runLab('atomics', { clients: 9 })).rejects.toMatchObject({ code: 'BAD_PARAM' });
  });

  const SMALL = { clients: 2, increments: 2 };

  it('fails where an increment adds 2', async () => {
    const twice = meddle('client-1', 'postSendList', (args) => ({
      ...args,
      wrs: args.wrs.map((wr, i) => (i === 0 ? { ...wr, add: '0x2' } : wr)),
    }));
    expect(await unmetUnder([twice], 'atomics', SMALL)).toEqual(['fetch-add', 'old-values']);
  });

  it('fails where no WRITE reaches the counter', async () => {
    const readsOnly = ['client-1', 'client-2'].map((role) =>
      meddle(role, 'postSend', (args) =>
        args.wr.opcode === 'RDMA_WRITE' ? { ...args, wr: { ...args.wr, opcode: 'RDMA_READ' } } : args,
      ),
    );
    expect(await unmetUnder(readsOnly, 'atomics', SMALL)).toEqual(['lost-updates']);
  });

  it('fails where a swap writes another value', async () => {
    const skips = meddle('client-1', 'postSend', (args) =>
      args.wr.opcode === 'ATOMIC_CMP_AND_SWP'
        ? { ...args, wr: { ...args.wr, swap: `0x${(BigInt(args.wr.compare!) + 2n).toString(16)}` } }
        : args,
    );
    expect(await unmetUnder([skips], 'atomics', SMALL)).toEqual(['compare-swap']);
  });

  it('fails where the device carries out what it should refuse', async () => {
    const aligned = meddle('client-1', 'postAndWait', (args) => {
      const addr = BigInt(args.wr.remote!.addr) & ~7n;
      return {
        ...args,
        wr: { ...args.wr, remote: { ...args.wr.remote!, addr: `0x${addr.toString(16)}` } },
      };
    });
    const allowed = meddle('server', 'regMr', (args) => ({
      ...args,
      access: [...new Set([...args.access, 'REMOTE_ATOMIC' as const])],
    }));
    expect(await unmetUnder([aligned, allowed], 'atomics', SMALL)).toEqual(['misaligned', 'no-right']);
  });
});
