/** Three ways in which several clients add to one counter. */
import type { LabContext } from '@verbslab/protocol';
import { formatCount, plural } from '../base/format.js';
import { remoteOf, type Side } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import { readWord, WORD_BYTES, writeWord } from '../endpoints/memory.js';
import type { Server } from './endpoints.js';
import type { AtomicsParams } from './params.js';

type Context = LabContext<AtomicsParams>;
type Way = 'FETCH_ADD' | 'READ, then WRITE' | 'READ, then CMP_SWAP';

const word = (value: bigint | number): string => `0x${BigInt(value).toString(16)}`;

const reset = ({ endpoint, mr }: Server): Promise<void> => writeWord({ endpoint, mr }, 0, 0n);
const counterOf = async ({ endpoint, mr }: Server): Promise<number> =>
  Number(await readWord({ endpoint, mr }, 0));

/** Sends one request between the client’s word and the counter, and waits for its completion. */
async function request(
  { endpoint, qp, cq, mr }: Side,
  wr:
    | { opcode: 'RDMA_READ' | 'RDMA_WRITE' }
    | { opcode: 'ATOMIC_CMP_AND_SWP'; compare: string; swap: string },
  server: Server,
): Promise<void> {
  const local = [{ mr: mr.mr, offset: 0, length: WORD_BYTES }];
  await endpoint.call('postSend', { qp: qp.qp, wr: { ...wr, local, remote: remoteOf(server) } });
  await completions(endpoint, cq, 1, wr.opcode);
}

function report(ctx: Context, way: Way, requests: number, counter: number): number {
  const { clients, increments } = ctx.params;
  const lost = clients * increments - counter;
  ctx.row('ways', { way, increments: clients * increments, counter, lost, requests });
  return lost;
}

/**
 * All requests of all clients are in flight at once. Every old value comes back to exactly one client. Resolves to the
 * counter at the end.
 */
export async function countByFetchAdd(
  ctx: Context,
  clients: readonly Side[],
  server: Server,
): Promise<number> {
  const { increments } = ctx.params;
  await reset(server);
  const each = await Promise.all(
    clients.map(async ({ endpoint, qp, cq, mr }) => {
      const wrs = Array.from({ length: increments }, (_, i) => ({
        opcode: 'ATOMIC_FETCH_AND_ADD' as const,
        local: [{ mr: mr.mr, offset: i * WORD_BYTES, length: WORD_BYTES }],
        remote: remoteOf(server),
        add: word(1),
        wrId: i,
      }));
      await endpoint.call('postSendList', { qp: qp.qp, wrs });
      await completions(endpoint, cq, increments, 'FETCH_ADD');
      const old: number[] = [];
      for (let i = 0; i < increments; i++) old.push(Number(await readWord({ endpoint, mr }, i * WORD_BYTES)));
      return old;
    }),
  );
  const counter = await counterOf(server);
  const wanted = clients.length * increments;
  const lost = report(ctx, 'FETCH_ADD', wanted, counter);
  ctx.check(
    'fetch-add',
    lost === 0,
    `${plural(clients.length, 'client')} added 1 ${plural(increments, 'time')} each. The counter is ${formatCount(counter)}.`,
  );
  const values = new Set(each.flat());
  const missing = Array.from({ length: wanted }, (_, i) => i).filter((value) => !values.has(value));
  const rising = each.every((old) => old.every((value, i) => i === 0 || value > old[i - 1]!));
  ctx.check(
    'old-values',
    values.size === wanted && missing.length === 0 && rising,
    missing.length === 0 && rising
      ? `The old values 0 to ${formatCount(wanted - 1)} came back, each to one client, and to each client in rising order.`
      : `${plural(missing.length, 'old value')} came back to no client${rising ? '' : ', and a client got them out of order'}.`,
  );
  return counter;
}

/**
 * Every client reads before any of them writes, so the race that is rare elsewhere happens in each round. Resolves to the
 * counter at the end.
 */
export async function countByWrite(ctx: Context, clients: readonly Side[], server: Server): Promise<number> {
  const { increments } = ctx.params;
  await reset(server);
  for (let round = 0; round < increments; round++) {
    await Promise.all(clients.map((client) => request(client, { opcode: 'RDMA_READ' }, server)));
    await Promise.all(
      clients.map(async (client) => {
        await writeWord(client, 0, (await readWord(client, 0)) + 1n);
        await request(client, { opcode: 'RDMA_WRITE' }, server);
      }),
    );
  }
  const counter = await counterOf(server);
  const lost = report(ctx, 'READ, then WRITE', 2 * clients.length * increments, counter);
  ctx.figure('lost', lost);
  ctx.check(
    'lost-updates',
    counter === increments,
    `In ${plural(increments, 'round')}, all ${clients.length} clients read before any of them wrote. The counter is ${formatCount(counter)}, and ${plural(lost, 'increment')} of ${formatCount(clients.length * increments)} were lost.`,
  );
  return counter;
}

/**
 * A client whose swap came too late sees the current value and tries again with it. Resolves to the counter at the end,
 * and the swaps that were sent.
 */
export async function countByCompareSwap(
  ctx: Context,
  clients: readonly Side[],
  server: Server,
): Promise<{ counter: number; swaps: number }> {
  const { increments } = ctx.params;
  await reset(server);
  const requests = await Promise.all(
    clients.map(async (client) => {
      await request(client, { opcode: 'RDMA_READ' }, server);
      let seen = await readWord(client, 0);
      let sent = 1;
      for (let done = 0; done < increments; sent++) {
        const swap = { compare: word(seen), swap: word(seen + 1n) };
        await request(client, { opcode: 'ATOMIC_CMP_AND_SWP', ...swap }, server);
        const old = await readWord(client, 0);
        if (old === seen) done++;
        seen = old === seen ? seen + 1n : old;
      }
      return sent;
    }),
  );
  const counter = await counterOf(server);
  const sent = requests.reduce((sum, one) => sum + one, 0);
  const lost = report(ctx, 'READ, then CMP_SWAP', sent, counter);
  const swaps = sent - clients.length;
  ctx.figure('swaps', swaps / (clients.length * increments));
  ctx.check(
    'compare-swap',
    lost === 0,
    `${plural(swaps, 'CMP_SWAP')} for ${formatCount(clients.length * increments)} increments, ${formatCount(swaps - clients.length * increments)} of which found another value. The counter is ${formatCount(counter)}.`,
  );
  return { counter, swaps };
}
