import type { EndpointArgs, LabContext, TimedWrite } from '@verbslab/protocol';
import { formatBytes, formatTime, plural } from '../base/format.js';
import { closeAll } from '../endpoints/scope.js';
import { arrived, connectWriteTarget, type WriteTarget } from '../endpoints/write-target.js';
import { breakEven, crossing, perMessage, registrations, sums } from './break-even.js';
import { LARGEST, SIZES, type RegisterOrCopyParams } from './params.js';

type Context = LabContext<RegisterOrCopyParams>;
type Memory = EndpointArgs<'timeWrites'>['memory'];
/** Messages by round. */
type Rounds = TimedWrite[][];

const SEED = 20_261_126;
const US = 1e-3;
/** Messages of each size and round, beside those of the chosen size. */
const FEW = 12;

const WAYS = ['once', 'copy', 'each'] as const;
type Way = (typeof WAYS)[number];

export async function runRegisterOrCopy(ctx: Context): Promise<void> {
  const { params } = ctx;
  const target = await connectWriteTarget(ctx, params.link, LARGEST);
  const { client } = target;
  const staging = await client.scope.region(LARGEST, ['LOCAL_WRITE']);
  const memory: Record<Way, Memory> = {
    once: { kind: 'cache', capacity: 1, evict: 'lru' },
    copy: { kind: 'copy', mr: staging.mr },
    each: { kind: 'cache', capacity: 0, evict: 'lru' },
  };
  // Warm-up, so that no way pays for the first calls of the process.
  for (const way of WAYS) await write(target, params.size, FEW, memory[way]);
  const found = await inTurn(ctx, target, params.size, params.messages, WAYS, memory);
  tellChosen(ctx, found);
  for (const [index, size] of SIZES.entries()) {
    ctx.progress((index + 1) / (SIZES.length + 1), `Messages of ${formatBytes(size)}`);
    // The chosen size has been measured, with more messages.
    const few = () => inTurn(ctx, target, size, FEW, WAYS, memory);
    tellSize(ctx, size, size === params.size ? found : await few());
  }
  const whole = await arrived(target, SEED);
  await closeAll(target.client, target.server);

  const expected = { once: 1, copy: 0, each: params.messages };
  for (const way of WAYS) {
    const counts = found[way].map(registrations);
    const wrong = counts.find((count) => count !== expected[way]);
    ctx.check(
      way,
      wrong === undefined,
      `${plural(wrong ?? counts[0] ?? 0, 'registration')} for ${plural(params.messages, 'message')}.`,
    );
  }
  ctx.check(
    'bytes',
    whole,
    whole ? 'The server’s memory holds what the client wrote.' : 'The server’s memory holds other bytes.',
  );
}

async function write(
  { client, mr }: WriteTarget,
  size: number,
  messages: number,
  memory: Memory,
): Promise<TimedWrite[]> {
  const { writes } = await client.endpoint.call('timeWrites', {
    pd: client.pd,
    qp: client.qp.qp,
    cq: client.cq,
    remote: { addr: mr.addr, rkey: mr.rkey },
    lengths: Array.from({ length: messages }, () => size),
    seed: SEED,
    memory,
  });
  return writes;
}

/** The ways take turns in every round. */
async function inTurn<W extends Way>(
  { params: { rounds } }: Context,
  target: WriteTarget,
  size: number,
  messages: number,
  ways: readonly W[],
  memory: Record<Way, Memory>,
): Promise<Record<W, Rounds>> {
  const found = Object.fromEntries(ways.map((way) => [way, [] as Rounds])) as Record<W, Rounds>;
  for (let round = 0; round < rounds; round++)
    for (const way of ways) found[way].push(await write(target, size, messages, memory[way]));
  return found;
}

function tellChosen(ctx: Context, found: Record<Way, Rounds>): void {
  const { size, messages } = ctx.params;
  const [register, copy, reuse] = [found.each, found.copy, found.once].map(perMessage) as [
    number,
    number,
    number,
  ];
  const even = breakEven(register, copy, reuse);
  ctx.figure('register', register * US);
  ctx.figure('copy', copy * US);
  ctx.figure('reuse', reuse * US);
  ctx.figure('break-even', even);
  ctx.figure('crossing', crossing(sums(found.once), sums(found.copy)));
  for (const way of WAYS)
    for (const [index, sum] of sums(found[way]).entries())
      ctx.point('sum', { x: index + 1, y: sum * US, series: way });
  const cheapest = WAYS.map((way) => ({ way, sum: sums(found[way]).at(-1)! })).sort((a, b) => a.sum - b.sum);
  ctx.outcome(
    'order',
    cheapest.map(({ way }) => way),
  );
  ctx.answer(
    `For messages of ${formatBytes(size)}, registering and deregistering took ${formatTime(register)}, and a copy took ${formatTime(copy)}. ` +
      (even === null
        ? 'Finding the registered buffer took at least as long as the copy, so registering never pays off.'
        : `By these medians, registering once pays off from ${plural(even, 'message')} of the same buffer on` +
          (even > messages ? `, more than this run’s ${messages}.` : '.')),
  );
}

function tellSize(ctx: Context, size: number, found: Record<Way, Rounds>): void {
  const [register, copy, reuse] = [found.each, found.copy, found.once].map(perMessage) as [
    number,
    number,
    number,
  ];
  ctx.row('sizes', {
    size,
    copy: copy * US,
    register: register * US,
    find: reuse * US,
    'break-even': breakEven(register, copy, reuse),
  });
  ctx.point('size', { x: size, y: copy * US, series: 'copy' });
  ctx.point('size', { x: size, y: register * US, series: 'each' });
}
