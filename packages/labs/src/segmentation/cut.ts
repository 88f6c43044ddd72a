/** Messages of several sizes on one connection: how each is split, and which PSNs it takes. */
import type { LabContext, Mtu } from '@verbslab/protocol';
import { PSN_MODULUS } from '@verbslab/roce';
import { formatCount, plural } from '../base/format.js';
import { checkSegments, packetList } from '../wire/messages.js';
import { expectedOpcodes, packetsOf } from '../wire/segments.js';
import { connected, type Ends } from './endpoints.js';
import { DATA, message, NAMES, OPERATIONS, type Message } from './message.js';
import type { SegmentationParams } from './params.js';

type Context = LabContext<SegmentationParams>;

/** Bytes of less than one packet at the usual path MTU. */
const SHORT = 1000;

interface Cut {
  ends: Ends;
  all: Message[];
  /** PSNs from each request to the next; null where one was not captured. */
  psns: (number | null)[];
}

export async function cut(ctx: Context): Promise<Cut> {
  const wanted = Number(ctx.params.mtu) as Mtu;
  const found = await connected(
    ctx,
    wanted,
    Math.max(ctx.params.size, wanted + 1, SHORT),
    null,
    async (ends): Promise<Cut> => {
      const all: Message[] = [];
      for (const size of new Set([ctx.params.size, SHORT, 0, ends.mtu + 1]))
        for (const operation of OPERATIONS)
          all.push(await message(ctx, ends, operation, size, 2 * all.length + 1));
      // Only the next request shows how many PSNs the last one took.
      const after = await message(ctx, ends, 'RDMA_WRITE', 0, 0);
      return { ends, all, psns: all.map(({ psn }, i) => psnsBetween(psn, (all[i + 1] ?? after).psn)) };
    },
  );
  if (found.ends.mtu < wanted)
    ctx.note(`The devices carry ${found.ends.mtu} B per packet, so that is the path MTU.`);
  show(ctx, found);
  judge(ctx, found);
  return found;
}

const psnsBetween = (from: number | null, to: number | null): number | null =>
  from === null || to === null ? null : (to - from + PSN_MODULUS) % PSN_MODULUS;

function show(ctx: Context, { ends: { mtu }, all, psns }: Cut): void {
  all.forEach((one, i) =>
    ctx.row('messages', {
      operation: NAMES[one.operation],
      size: one.size,
      predicted: packetsOf(one.size, mtu),
      counted: one.data.length,
      packets: packetList(one.data),
      psn: one.psn === null ? null : formatCount(one.psn),
      psns: psns[i] ?? null,
    }),
  );
  const at = (operation: Message['operation'], size: number): number =>
    all.findIndex((one) => one.operation === operation && one.size === size);
  const read = at('RDMA_READ', ctx.params.size);
  ctx.figure('path-mtu', mtu);
  ctx.figure('read-responses', all[read]!.data.length);
  ctx.figure('read-psns', psns[read] ?? null);
  const empty = all[at('RDMA_WRITE', 0)]!.data.length;
  ctx.figure('empty-packets', empty);
  ctx.outcome('empty', empty === 0 ? 'none' : 'one');
  const two = psns[at('RDMA_READ', mtu + 1)];
  if (two !== null && two !== undefined) ctx.outcome('read-psns', two === 1 ? 'one' : 'responses');
}

function judge(ctx: Context, { ends: { mtu }, all, psns }: Cut): void {
  const odd = all.find(({ operation, size, data }) => {
    const { ok, bytes } = checkSegments(data, DATA[operation], mtu);
    const opcodes = data.map(({ opcode }) => opcode).join();
    return !ok || bytes !== size || opcodes !== expectedOpcodes(size, mtu, DATA[operation]).join();
  });
  ctx.check(
    'cut',
    !odd,
    odd
      ? `The ${NAMES[odd.operation]} of ${odd.size} B traveled as ${packetList(odd.data) || 'no packets'}.`
      : `All ${all.length} messages travel as Only, or as First, Middle and Last. Only the last packet of a message is shorter than ${mtu} B.`,
  );
  const wrong = all.findIndex(({ data }, i) => psns[i] !== data.length);
  const { operation, size, data } = all[Math.max(wrong, 0)]!;
  ctx.check(
    'psns',
    wrong < 0,
    wrong < 0
      ? 'Each request begins behind the last PSN of the one before it. Behind a READ, that is the PSN of its last response.'
      : `The ${NAMES[operation]} of ${size} B has ${plural(data.length, 'data packet')} and took ${psns[wrong] == null ? 'an unknown number of PSNs' : plural(psns[wrong], 'PSN')}.`,
  );
}
