/** Failures of READ and WRITE where several programs change memory, or wait for something new. */
import { formatCount, plural } from '../base/format.js';
import { piece, read, sent, write, type Piece, type Spot } from './layout.js';
import { closeStage, counterOf, fill, openStage, perform, same, type Context } from './stage.js';
import { WORD_BYTES } from '../endpoints/memory.js';

/** Increments of each client. */
const INCREMENTS = 10;

const counter = ({ server, out }: Spot): Piece => piece(server, out, WORD_BYTES);
const value = (spot: Spot): Piece => piece(spot.client, spot.in, WORD_BYTES);
const sum = (spot: Spot): Piece => piece(spot.client, spot.sum, WORD_BYTES);

/** All clients READ the counter before one of them WRITEs, in each round. */
export async function loseUpdates(ctx: Context): Promise<string> {
  const rights = { server: ['REMOTE_READ' as const, 'REMOTE_WRITE' as const] };
  const stage = await openStage(ctx, { rights }, true, 1);
  await fill(stage, true);
  for (let round = 0; round < INCREMENTS; round++) {
    await perform(
      ctx,
      stage,
      (spot) => ({ client: [read(value(spot), counter(spot)), sent], server: [] }),
      0,
      1,
    );
    const addAndWrite = (spot: Spot) => ({
      client: [
        { move: 'add' as const, mr: spot.client.mr, offset: spot.in, from: spot.amount, to: spot.sum },
        write(sum(spot), counter(spot)),
        sent,
      ],
      server: [],
    });
    await perform(ctx, stage, addAndWrite, 0, 1);
  }
  const reached = await counterOf(stage);
  await closeStage(stage);
  const wanted = INCREMENTS * stage.wires.length;
  const text = `${plural(stage.wires.length, 'client')} added 1 by READ and WRITE, ${INCREMENTS} times each. The counter is ${formatCount(reached)} instead of ${formatCount(wanted)}.`;
  ctx.figure('lost', wanted - reached);
  ctx.check('lost-updates', reached === INCREMENTS, text);
  return text;
}

/** The receiver of a stream READs twice, and the sender has put nothing new there. */
export async function readStale(ctx: Context): Promise<string> {
  const { message } = ctx.params;
  const stage = await openStage(ctx, { rights: { client: ['REMOTE_READ'] } }, false, 1);
  await fill(stage, false);
  const spots = stage.wires.map(({ spot }) => spot);
  const [spot] = spots;
  const copies = [spot!.in, spot!.in + message].map((offset) => piece(spot!.server, offset, message));
  const from = piece(spot!.client, spot!.out, message);
  const moves = () => ({ client: [], server: copies.flatMap((to) => [read(to, from), sent]) });
  await perform(ctx, stage, moves, 0, 1);
  const both = (await same(stage, [from, copies[0]!])) && (await same(stage, [from, copies[1]!]));
  await closeStage(stage);
  const text = `The receiver READ twice and got ${both ? 'the same message both times, each with status 0' : 'other data at least once'}.`;
  ctx.check('stale', both, text);
  return text;
}
