/** Jobs between one client and the server: requests, transfers, streams and results. */
import type { Move } from '@verbslab/protocol';
import {
  mark,
  marked,
  piece,
  read,
  received,
  recv,
  send,
  sent,
  write,
  writeImm,
  type Piece,
  type Region,
  type Spot,
} from './layout.js';
import type { Play } from './play.js';

const small = ({ params, out }: Spot, region: Region): Piece => piece(region, out, params.message);
const smallIn = (spot: Spot, region: Region): Piece => piece(region, spot.in, spot.params.message);
const large = ({ params, out }: Spot, region: Region): Piece => piece(region, out, params.large);
const largeIn = (spot: Spot, region: Region): Piece => piece(region, spot.in, spot.params.large);
const creditOf = (spot: Spot, region: Region): Piece => piece(region, spot.credit, 1);

const there = (spot: Spot): [Piece, Piece] => [small(spot, spot.client), smallIn(spot, spot.server)];
const back = (spot: Spot): [Piece, Piece] => [small(spot, spot.server), smallIn(spot, spot.client)];
const bulk = (spot: Spot): [Piece, Piece] => [large(spot, spot.client), largeIn(spot, spot.server)];

/** The messages of a burst, in the sender’s memory or in the receiver’s. */
const slots = ({ params: { message, burst } }: Spot, region: Region, from: number): Piece[] =>
  Array.from({ length: burst }, (_, i) => piece(region, from + i * message, message));

/** Only the last request of a burst is signaled: requests of a QP complete in order. */
const signaled = (i: number, { params: { burst } }: Spot) => ({ signaled: i === burst - 1 });

const burst = (
  spot: Spot,
  request: (from: Piece, to: Piece, extra: { signaled: boolean }) => Move,
): Move[] => {
  const to = slots(spot, spot.server, spot.in);
  return slots(spot, spot.client, spot.out).flatMap((from, i) => [
    mark(from),
    request(from, to[i]!, signaled(i, spot)),
  ]);
};

const stream = {
  job: 'stream',
  initiator: 'client',
  jobs: ({ params }: Spot) => params.burst,
  equal: ({ params, client, server, ...spot }: Spot): [Piece, Piece][] => [
    [
      piece(client, spot.out, params.message * params.burst),
      piece(server, spot.in, params.message * params.burst),
    ],
  ],
} as const;

export const MESSAGE_PLAYS: readonly Play[] = [
  {
    job: 'request',
    verb: 'send',
    initiator: 'client',
    rights: {},
    moves: (spot) => ({
      client: [recv(back(spot)[1]), mark(there(spot)[0]), send(there(spot)[0]), received(), sent],
      server: [received(), recv(there(spot)[1]), mark(back(spot)[0]), send(back(spot)[0]), sent],
    }),
    equal: (spot) => [there(spot), back(spot)],
  },
  {
    job: 'request',
    verb: 'write',
    initiator: 'client',
    rights: { client: ['REMOTE_WRITE'], server: ['REMOTE_WRITE'] },
    moves: (spot) => ({
      client: [mark(there(spot)[0]), write(...there(spot)), marked(back(spot)[1]), sent],
      server: [marked(there(spot)[1]), mark(back(spot)[0]), write(...back(spot)), sent],
    }),
    equal: (spot) => [there(spot), back(spot)],
  },
  {
    job: 'request',
    verb: 'imm',
    initiator: 'client',
    rights: { client: ['REMOTE_WRITE'], server: ['REMOTE_WRITE'] },
    moves: (spot) => ({
      client: [recv(null), mark(there(spot)[0]), writeImm(...there(spot)), received(), sent],
      server: [received(), recv(null), mark(back(spot)[0]), writeImm(...back(spot)), sent],
    }),
    equal: (spot) => [there(spot), back(spot)],
  },
  {
    job: 'told',
    verb: 'send',
    initiator: 'client',
    rights: {},
    oneWay: true,
    moves: (spot) => ({
      client: [mark(bulk(spot)[0]), send(bulk(spot)[0]), sent],
      server: [received(), recv(bulk(spot)[1])],
    }),
    equal: (spot) => [bulk(spot)],
  },
  {
    job: 'told',
    verb: 'imm',
    initiator: 'client',
    rights: { server: ['REMOTE_WRITE'] },
    oneWay: true,
    moves: (spot) => ({
      client: [mark(bulk(spot)[0]), writeImm(...bulk(spot)), sent],
      server: [received(), recv(null)],
    }),
    equal: (spot) => [bulk(spot)],
  },
  {
    // The target fetches the data when an empty SEND announces it, and says so when it has it.
    job: 'told',
    verb: 'read',
    initiator: 'client',
    rights: { client: ['REMOTE_READ'] },
    moves: (spot) => ({
      client: [recv(null), mark(bulk(spot)[0]), send(null), received(), sent],
      server: [received(), recv(null), read(bulk(spot)[1], bulk(spot)[0]), sent, send(null), sent],
    }),
    equal: (spot) => [bulk(spot)],
  },
  {
    job: 'quiet',
    verb: 'write',
    initiator: 'client',
    rights: { server: ['REMOTE_WRITE'] },
    moves: (spot) => ({ client: [mark(bulk(spot)[0]), write(...bulk(spot)), sent], server: [] }),
    equal: (spot) => [bulk(spot)],
  },
  {
    ...stream,
    verb: 'send',
    rights: {},
    moves: (spot) => ({
      client: [recv(null), ...burst(spot, (from, _, extra) => send(from, extra)), received(), sent],
      server: [received(spot.params.burst), ...slots(spot, spot.server, spot.in).map(recv), send(null), sent],
    }),
  },
  {
    ...stream,
    verb: 'write',
    rights: { client: ['REMOTE_WRITE'], server: ['REMOTE_WRITE'] },
    moves: (spot) => ({
      client: [...burst(spot, write), marked(creditOf(spot, spot.client)), sent],
      server: [
        ...slots(spot, spot.server, spot.in).map(marked),
        mark(creditOf(spot, spot.server)),
        write(creditOf(spot, spot.server), creditOf(spot, spot.client)),
        sent,
      ],
    }),
  },
  {
    ...stream,
    verb: 'imm',
    rights: { client: ['REMOTE_WRITE'], server: ['REMOTE_WRITE'] },
    moves: (spot) => ({
      client: [recv(null), ...burst(spot, writeImm), received(), sent],
      server: [
        received(spot.params.burst),
        ...slots(spot, spot.server, spot.in).map(() => recv(null)),
        writeImm(null, creditOf(spot, spot.client)),
        sent,
      ],
    }),
  },
  {
    job: 'unknown',
    verb: 'send',
    initiator: 'server',
    rights: {},
    oneWay: true,
    moves: (spot) => ({
      client: [received(), recv(back(spot)[1])],
      server: [mark(back(spot)[0]), send(back(spot)[0]), sent],
    }),
    equal: (spot) => [back(spot)],
  },
  {
    job: 'unknown',
    verb: 'read',
    initiator: 'server',
    rights: { server: ['REMOTE_READ'] },
    moves: (spot) => ({
      client: [received(), recv(null), read(back(spot)[1], back(spot)[0]), sent, send(null), sent],
      server: [recv(null), mark(back(spot)[0]), send(null), received(), sent],
    }),
    equal: (spot) => [back(spot)],
  },
];
