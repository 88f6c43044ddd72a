/** Every play once, with the client’s packets watched. */
import { plural } from '../base/format.js';
import { NO_PACKETS, type PacketWatch } from '../wire/packet-watch.js';
import { jobTitle, titleOf } from './jobs.js';
import { passiveOf, type EndName, type Play } from './play.js';
import { closeStage, fill, openStage, perform, postAhead, waitsOf, type Context } from './stage.js';
import { expectedData, wireOf, type Wire } from './wire.js';

export interface Counted {
  /** Null where packets cannot be seen. */
  wire: Wire | null;
  /** Data packets that the requests of both ends must make. */
  expected: number;
  /** Completions of the passive side’s RECVs. */
  told: number;
  /** Requests of the initiator that complete a RECV of the passive side. */
  tells: number;
  /** Requests and RECVs of each end, in words. */
  posts: Record<EndName, string>;
}

const VERB_OF: Readonly<Record<string, string>> = {
  SEND: 'SEND',
  RDMA_WRITE: 'WRITE',
  RDMA_WRITE_WITH_IMM: 'WRITE_WITH_IMM',
  RDMA_READ: 'READ',
  ATOMIC_FETCH_AND_ADD: 'FETCH_ADD',
};

/** `RECV, 8 SEND`; `nothing` where a program makes no call. */
function postsOf(moves: ReturnType<Play['moves']>[EndName]): string {
  const counts = new Map<string, number>();
  for (const one of moves) {
    const name = one.move === 'recv' ? 'RECV' : one.move === 'post' ? VERB_OF[one.wr.opcode]! : null;
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const words = [...counts].map(([name, count]) => (count === 1 ? name : `${count} ${name}`));
  return words.length === 0 ? 'nothing' : words.join(', ');
}

async function countOne(ctx: Context, play: Play, watch: PacketWatch): Promise<Counted> {
  const stage = await openStage(ctx, play, false, 1);
  const passive = passiveOf(play);
  const [wire] = stage.wires;
  const { client, server, spot } = wire!;
  await fill(stage, play.job === 'counter');
  await postAhead(stage, play, 1);
  await watch.take();
  const [found] = await perform(ctx, stage, play.moves, 0, 1, waitsOf(ctx, play));
  const packets = await watch.take();
  const idle = { client, server }[passive];
  const { completions } = await idle.endpoint.call('pollCq', { cq: idle.recvCq });
  await closeStage(stage);
  const moves = play.moves(spot);
  const mtu = Math.min(client.qp.info.mtu, server.qp.info.mtu);
  return {
    wire: watch.on ? wireOf(packets) : null,
    expected: expectedData([...moves.client, ...moves.server], mtu),
    told: (found![passive]?.received ?? 0) + completions.length,
    tells: moves[play.initiator].filter((one) => one.move === 'post' && /^SEND|IMM$/.test(one.wr.opcode))
      .length,
    posts: { client: postsOf(moves.client), server: postsOf(moves.server) },
  };
}

export async function countAll(ctx: Context, plays: readonly Play[], watch: PacketWatch): Promise<Counted[]> {
  const all: Counted[] = [];
  for (const play of plays) all.push(await countOne(ctx, play, watch));
  const named = (i: number): string => `${jobTitle(plays[i]!.job)}, ${titleOf(plays[i]!.verb)}`;
  const untold = all.flatMap(({ told, tells }, i) =>
    told === tells ? [] : [`${named(i)}: ${plural(told, 'completion')} instead of ${tells}.`],
  );
  ctx.check(
    'notified',
    untold.length === 0,
    untold.join(' ') ||
      `In ${plural(all.length, 'combination')}, one RECV of the passive side completed for each SEND and WRITE_WITH_IMM of the initiator, and none for anything else.`,
  );
  if (!watch.on) {
    ctx.doesNotApply('packets', NO_PACKETS);
    return all;
  }
  const other = all.flatMap(({ wire, expected }, i) =>
    wire!.data === expected
      ? []
      : [`${named(i)}: ${plural(wire!.data, 'data packet')} instead of ${expected}.`],
  );
  ctx.check(
    'packets',
    other.length === 0,
    other.join(' ') ||
      `${plural(
        all.reduce((sum, { wire }) => sum + wire!.data, 0),
        'data packet',
      )} in ${plural(all.length, 'combination')}, as many as the requests need at this path MTU.`,
  );
  return all;
}
