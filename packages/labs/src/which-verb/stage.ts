/** The connections that a play needs: one for each client that takes part. */
import type { EndpointHandle, EndpointResult, LabContext } from '@verbslab/protocol';
import { PATIENT } from '../endpoints/timeouts.js';
import { closeAll, openOwner, type Owner, type Queues } from '../endpoints/scope.js';
import { connectSides, hashOf } from '../endpoints/side.js';
import { readWord, writeWord } from '../endpoints/memory.js';
import { memoryOf, spotOf, type Piece, type Spot } from './layout.js';
import type { WhichVerbParams } from './params.js';
import { passiveOf, type EndName, type Play } from './play.js';

export type Context = LabContext<WhichVerbParams>;

/** Entries of a queue for everything that a round posts. */
const DEPTH = 64;
const WAIT_MS = 10_000;
const CLIENT_SEED = 11;
const SERVER_SEED = 12;

type End = Queues & { endpoint: EndpointHandle };

interface Wire {
  owner: Owner;
  client: End;
  server: End;
  spot: Spot;
}

export interface Stage {
  server: Owner;
  wires: Wire[];
}

type Needs = Pick<Play, 'rights'>;

const own = (ctx: Context, name: string, access: Play['rights'][EndName] = []): Promise<Owner> =>
  openOwner(ctx.endpoint(name), memoryOf(ctx.params), ['LOCAL_WRITE', ...access]);

/** All clients, or the first one only. */
const clientsOf = (ctx: Context, all: boolean): string[] =>
  all ? ['client', ...ctx.endpoints('other').map(({ name }) => name)] : ['client'];

/** @param rounds for which RECVs may have to be posted in advance */
export async function openStage(ctx: Context, play: Needs, all: boolean, rounds: number): Promise<Stage> {
  const { link } = ctx.params;
  const depth = Math.max(DEPTH, rounds);
  const server = await own(ctx, 'server', play.rights.server);
  const stage: Stage = { server, wires: [] };
  for (const [index, name] of clientsOf(ctx, all).entries()) {
    const owner = await own(ctx, name, play.rights.client);
    const ends = await Promise.all(
      [owner, server].map(async ({ endpoint, scope }) => ({
        endpoint,
        ...(await scope.queues(link, depth)),
      })),
    );
    const [client, far] = ends as [End, End];
    await connectSides(ctx, [client, far], link, PATIENT);
    stage.wires.push({ owner, client, server: far, spot: spotOf(ctx.params, owner.mr, server.mr, index) });
  }
  return stage;
}

export const closeStage = ({ server, wires }: Stage): Promise<void> =>
  closeAll(...wires.map(({ owner }) => owner), server);

/** Fills the memory from which the ends send. A counter begins at 0, and each client wants to add 1. */
export async function fill({ server, wires }: Stage, counter: boolean): Promise<void> {
  const { out, in: length } = wires[0]!.spot;
  const pattern = ({ endpoint, mr }: Owner, seed: number) =>
    endpoint.call('fillMemory', { mr: mr.mr, offset: out, length, seed });
  for (const { owner, spot } of wires) {
    await pattern(owner, CLIENT_SEED);
    await writeWord(owner, spot.amount, 1n);
  }
  if (!counter) await pattern(server, SERVER_SEED);
}

/** The passive side’s RECVs, before the initiator sends anything. */
export async function postAhead({ wires }: Stage, play: Play, rounds: number): Promise<void> {
  const passive = passiveOf(play);
  for (const wire of wires)
    for (const one of play.moves(wire.spot)[passive])
      if (one.move === 'recv')
        await wire[passive].endpoint.call('postRecv', {
          qp: wire[passive].qp.qp,
          wr: one.wr,
          count: play.oneWay ? rounds : 1,
        });
}

type Performed = EndpointResult<'performRounds'>;
type Moves = Play['moves'];

/** Performs the moves on each connection. Resolves to the results of its ends; null where an end makes no move. */
export async function perform(
  ctx: Context,
  { wires }: Stage,
  moves: Moves,
  first: number,
  rounds: number,
  waits: Record<EndName, 'poll' | 'event'> = { client: 'poll', server: 'poll' },
): Promise<Record<EndName, Performed | null>[]> {
  return Promise.all(
    wires.map(async (wire) => {
      const all = moves(wire.spot);
      const one = async (name: EndName): Promise<Performed | null> => {
        if (all[name].length === 0) return null;
        const { endpoint, qp, sendCq, recvCq } = wire[name];
        const objects = { qp: qp.qp, sendCq, recvCq };
        const rest = { moves: all[name], rounds, first, wait: waits[name], timeoutMs: WAIT_MS };
        return endpoint.call('performRounds', { ...objects, ...rest });
      };
      const [client, server] = await Promise.all([one('client'), one('server')]);
      return { client, server };
    }),
  );
}

/** The initiator polls; the passive side waits as the learner wants. */
export const waitsOf = (ctx: Context, play: Play): Record<EndName, 'poll' | 'event'> => ({
  client: 'poll',
  server: 'poll',
  [passiveOf(play)]: ctx.params.wait,
});

/** True if two pieces of memory, at any ends of this stage, hold the same bytes. */
export async function same({ server, wires }: Stage, [a, b]: readonly [Piece, Piece]): Promise<boolean> {
  const owners = [server, ...wires.map(({ owner }) => owner)];
  const hash = ({ region, offset, length }: Piece): Promise<string> =>
    hashOf(
      owners.find(({ mr }) => mr === region)!,
      offset,
      length,
    );
  return (await hash(a)) === (await hash(b));
}

export const counterOf = async ({ server, wires }: Stage): Promise<number> =>
  Number(await readWord(server, wires[0]!.spot.out));
