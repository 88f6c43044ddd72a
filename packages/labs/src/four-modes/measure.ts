/** Costs of a mode: time, CPU of both ends, and completions at the server. */
import { median, type EndpointResult } from '@verbslab/protocol';
import type { End } from '../lambda/endpoints.js';
import { sweep } from '../base/sweep.js';
import { cpuPer, processCpu, spent, type ProcessCpu } from '../load/process-cpu.js';
import { MODES, movesOf, type Context, type Mode, type Wire } from './modes.js';
import { closeWire, isRight, openWire, postRecvs } from './wires.js';

const WARM_UP = 10;
const WAIT_MS = 10_000;

export interface Measured {
  us: number;
  /** CPU time per operation. */
  cpu: Record<'client' | 'server', ProcessCpu>;
  /** Completions of RECVs and of requests at the server’s program, per operation. */
  told: number;
  right: boolean;
}

async function perform(ctx: Context, mode: Mode, wire: Wire, rounds: number) {
  const moves = movesOf(mode, wire, ctx.params.payload);
  // A mode that is not answered could be faster than the server posts RECVs.
  if (mode.id === 'write') await postRecvs(mode, wire, ctx.params.payload, rounds);
  const one = (
    name: 'client' | 'server',
    wait: 'event' | 'poll',
  ): Promise<EndpointResult<'performRounds'>> => {
    const { endpoint, qp, sendCq, recvCq } = wire[name];
    const objects = { qp: qp.qp, sendCq, recvCq };
    return endpoint.call('performRounds', {
      ...objects,
      moves: moves[name],
      rounds,
      first: 0,
      wait,
      timeoutMs: WAIT_MS,
    });
  };
  const [client, server] = await Promise.all([
    one('client', 'poll'),
    moves.server.length > 0 ? one('server', ctx.params.wait) : null,
  ]);
  return { timesNs: client.timesNs, received: server?.received ?? 0 };
}

/** Completions in the server’s queues that no move has taken. */
async function left({ endpoint, sendCq, recvCq }: End): Promise<number> {
  let count = 0;
  for (const cq of [sendCq, recvCq]) count += (await endpoint.call('pollCq', { cq })).completions.length;
  return count;
}

async function measure(ctx: Context, mode: Mode, wire: Wire): Promise<Measured> {
  const { rounds, payload } = ctx.params;
  const { client, server } = wire;
  await perform(ctx, mode, wire, WARM_UP);
  const sample = async () => [await processCpu(client.endpoint), await processCpu(server.endpoint)] as const;
  // Baseline: the cost of a sample itself.
  const idle = await sample();
  const before = await sample();
  const { timesNs, received } = await perform(ctx, mode, wire, rounds);
  const after = await sample();
  return {
    us: median(timesNs) / 1000,
    cpu: {
      client: cpuPer(spent([idle[0], before[0], after[0]]), rounds),
      server: cpuPer(spent([idle[1], before[1], after[1]]), rounds),
    },
    told: (received + (await left(server))) / rounds,
    right: await isRight(mode, wire, payload),
  };
}

export async function measureModes(ctx: Context): Promise<{ mode: Mode; found: Measured[] }[]> {
  const { rounds, repeat, payload } = ctx.params;
  const settings: { mode: Mode; wire: Wire }[] = [];
  for (const mode of MODES) {
    const wire = await openWire(ctx, mode, rounds + WARM_UP);
    // Each operation of an answering server posts the RECV of the next one.
    if (mode.id === 'send' || mode.id === 'run') await postRecvs(mode, wire, payload, 1);
    settings.push({ mode, wire });
  }
  const found = await sweep(
    ctx,
    settings,
    repeat,
    ({ mode }) => mode.title,
    ({ mode, wire }) => measure(ctx, mode, wire),
  );
  ctx.draining();
  for (const { wire } of settings) await closeWire(wire);
  return settings.map(({ mode }, i) => ({ mode, found: found[i]! }));
}
