/** A checkpoint step by step. After every step the restorer does what it would do if the trainer had died there. */
import type { EndpointSendWr } from '@verbslab/protocol';
import { readBytes } from '../endpoints/memory.js';
import { plural } from '../base/format.js';
import { inPhase } from '../endpoints/phase.js';
import { hashOf } from '../endpoints/side.js';
import { prepare, put, restore, writesOf, type Context, type Ends } from './endpoints.js';
import { decodeManifest, manifestBytes, shardPlace, SLOTS, slotPlace, type Manifest } from './layout.js';

export type Order = 'data-first' | 'record-first' | 'in-place';
const ORDERS: readonly Order[] = ['data-first', 'record-first', 'in-place'];

export const TITLES: Readonly<Record<Order, string>> = {
  'data-first': 'Data, then record; two slots',
  'record-first': 'Record, then data; two slots',
  'in-place': 'Data, then record; one slot',
};

export const slotOf =
  (order: Order) =>
  (epoch: number): number =>
    order === 'in-place' ? 0 : epoch % SLOTS;

interface Look {
  step: string;
  record: number;
  verified: boolean;
  /** Manifest and every shard that the staging host holds are those of the epoch in the record. */
  whole: boolean;
  /** Epochs whose manifest and shards the staging host still holds, whatever the record says. */
  left: number[];
}

export interface Crashes {
  order: Order;
  looks: Look[];
  /** Shards that the staging host held when their WRITE completed. */
  placed: number;
}

type Step = readonly [text: string, wr: EndpointSendWr, shard: number | null];

function stepsOf(ctx: Context, ends: Ends, order: Order, epoch: number): Step[] {
  const { shards, manifest, record } = writesOf(ctx, ends, slotOf(order)(epoch));
  const data: Step[] = [
    ...shards.map((wr, shard): Step => [`WRITE of shard ${shard + 1}`, wr, shard]),
    ['WRITE of the manifest', manifest, null],
  ];
  const commit: Step = ['WRITE of the record', record, null];
  return order === 'record-first' ? [commit, ...data] : [...data, commit];
}

/** Checksums of the shards in the staging host’s own memory; the restorer’s READ has no part in them. */
async function heldBy({ params }: Context, { staging }: Ends, slot: number): Promise<string[]> {
  const sums: string[] = [];
  for (let shard = 0; shard < params.shards; shard++)
    sums.push(await hashOf(staging, slotPlace(params, slot) + shardPlace(params, shard), params.shardBytes));
  return sums;
}

const manifestAt = async ({ params }: Context, { staging }: Ends, slot: number): Promise<Manifest> =>
  decodeManifest(await readBytes(staging, slotPlace(params, slot), manifestBytes(params)));

/** Epochs of `sums` whose manifest and shards are in their slots. */
async function leftOf(
  ctx: Context,
  ends: Ends,
  order: Order,
  sums: ReadonlyMap<number, readonly string[]>,
): Promise<number[]> {
  const left: number[] = [];
  for (const [epoch, own] of sums) {
    const slot = slotOf(order)(epoch);
    const held = await heldBy(ctx, ends, slot);
    const manifest = await manifestAt(ctx, ends, slot);
    if (manifest.epoch === epoch && held.every((sum, i) => sum === own[i])) left.push(epoch);
  }
  return left;
}

async function crashThrough(ctx: Context, ends: Ends, order: Order, first: number): Promise<Crashes> {
  const sums = new Map<number, string[]>();
  const crashes: Crashes = { order, looks: [], placed: 0 };
  sums.set(first, await prepare(ctx, ends, first, slotOf(order)(first)));
  const { shards, manifest, record } = writesOf(ctx, ends, slotOf(order)(first));
  for (const wr of [...shards, manifest, record]) await put(ends, wr);
  const epoch = first + 1;
  const slot = slotOf(order)(epoch);
  sums.set(epoch, await prepare(ctx, ends, epoch, slot));
  for (const [step, wr, shard] of stepsOf(ctx, ends, order, epoch)) {
    await put(ends, wr);
    if (shard !== null) {
      const held = await heldBy(ctx, ends, slot);
      if (held[shard] === sums.get(epoch)![shard]) crashes.placed++;
    }
    const { epoch: record, verified } = await restore(ctx, ends, slotOf(order));
    const left = await leftOf(ctx, ends, order, sums);
    crashes.looks.push({ step, record, verified, whole: left.includes(record), left });
  }
  return crashes;
}

export async function crashEverywhere(ctx: Context, ends: Ends): Promise<Crashes[]> {
  const all: Crashes[] = [];
  for (const [i, order] of ORDERS.entries())
    all.push(await inPhase(ctx, order, TITLES[order], () => crashThrough(ctx, ends, order, 1 + 2 * i)));
  return all;
}

export const tornOf = ({ looks }: Crashes): number => looks.filter(({ whole }) => !whole).length;

export function reportCrashes(ctx: Context, all: readonly Crashes[]): void {
  const { shards } = ctx.params;
  for (const crashes of all) {
    const { order, looks } = crashes;
    const torn = tornOf(crashes);
    ctx.figure(`torn-${order}`, torn);
    for (const { step, record, verified, whole, left } of looks)
      ctx.row('crashes', {
        order: TITLES[order],
        step,
        record,
        checkpoint: whole ? 'whole' : 'torn',
        left: left.join(', ') || 'none',
        verdict: verified ? 'passes' : 'fails',
      });
    // The manifest is a step of its own: until both it and all shards are there, the checkpoint is torn.
    const computed = order === 'data-first' ? 0 : shards + 1;
    ctx.check(
      order,
      torn === computed && looks.at(-1)?.whole === true,
      `At ${torn} of ${plural(looks.length, 'look')} the record named a torn checkpoint (computed ${computed}). After the last step it was ${looks.at(-1)?.whole ? 'whole' : 'torn'}.`,
    );
  }
  const looks = all.flatMap((one) => one.looks);
  const right = looks.filter(({ verified, whole }) => verified === whole).length;
  const failed = looks.filter(({ verified }) => !verified).length;
  ctx.check(
    'verify',
    right === looks.length && failed > 0,
    `The verifying READ was right at ${right} of ${plural(looks.length, 'look')}. At ${failed} of them it found the checkpoint torn.`,
  );
  const placed = all.reduce((sum, one) => sum + one.placed, 0);
  ctx.check(
    'ack',
    placed === all.length * shards,
    `After its completion at the trainer, ${placed} of ${plural(all.length * shards, 'shard')} lay in the staging host’s memory with every byte.`,
  );
  const inPlace = all.find(({ order }) => order === 'in-place')!;
  const nothing = inPlace.looks.filter(({ left }) => left.length === 0).length;
  ctx.outcome('in-place', nothing === 0 ? 'new' : 'nothing');
  ctx.figure('looks', inPlace.looks.length);
}
