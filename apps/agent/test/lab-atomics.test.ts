import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { figures, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

describe('atomics', () => {
  it('has one endpoint per client', async () => {
    const lab = await runLab('atomics', { clients: 2, increments: 1 });
    expect(unmet(lab)).toEqual([]);
    expect(figures(lab).lost).toBe(1);
  });

  const SMALL = { clients: 2, increments: 2 };

  it('fails where an increment adds 2', async () => {
    const twice = meddle('client-1', 'postSendList', (args) => ({
      ...args,
      wrs: args.wrs.map((wr, i) => (i === 0 ? { ...wr, add: '0x2' } : wr)),
    }));
    const lab = await runLab('atomics', SMALL, {}, [twice]);
    expect(unmet(lab).map(({ id }) => id)).toEqual(['fetch-add', 'old-values']);
    expect(lab.answer).toContain('With FETCH_ADD the counter reached 5.');
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

  it('does not judge the server’s device where the client’s refuses to post a misaligned atomic', async () => {
    const refuses = meddle('client-1', 'postAndWait', (args) =>
      BigInt(args.wr.remote!.addr) % 8n === 0n
        ? args
        : { ...args, wr: { ...args.wr, local: Array(32).fill(args.wr.local![0]!) } },
    );
    const lab = await runLab('atomics', SMALL, {}, [refuses]);
    expect(lab.checks.filter(({ applies }) => applies === false)).toEqual([
      expect.objectContaining({ id: 'misaligned', detail: expect.stringContaining('EINVAL') as string }),
    ]);
    expect(unmet(lab)).toEqual([]);
    expect(figures(lab).misaligned).toBeNull();
  });
});
