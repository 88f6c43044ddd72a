/** Jobs that several clients do at the same time with 8 bytes of the server. */
import { WORD_BYTES } from '../endpoints/memory.js';
import {
  fetchAdd,
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
import type { Move } from '@verbslab/protocol';

/** The value, or the counter. */
const shared = ({ server, out }: Spot): Piece => piece(server, out, WORD_BYTES);
const result = (spot: Spot): Piece => piece(spot.client, spot.in, WORD_BYTES);
const amount = (spot: Spot, region: Region): Piece => piece(region, spot.amount, WORD_BYTES);
const sum = (spot: Spot): Piece => piece(spot.server, spot.sum, WORD_BYTES);

const readers = {
  job: 'readers',
  shared: true,
  equal: (spot: Spot): [Piece, Piece][] => [[shared(spot), result(spot)]],
} as const;
const counter = { job: 'counter', initiator: 'client', shared: true } as const;

/** The server’s program adds what the client asked for. */
const addition = (spot: Spot): Move => ({
  move: 'add',
  mr: spot.server.mr,
  offset: spot.out,
  from: spot.amount,
  to: spot.sum,
});

export const SHARED_PLAYS: readonly Play[] = [
  {
    ...readers,
    verb: 'send',
    initiator: 'client',
    rights: {},
    moves: (spot) => ({
      client: [recv(result(spot)), send(null), received(), sent],
      server: [received(), recv(null), send(shared(spot)), sent],
    }),
  },
  {
    ...readers,
    verb: 'write',
    initiator: 'server',
    rights: { client: ['REMOTE_WRITE'] },
    moves: (spot) => ({ client: [], server: [write(shared(spot), result(spot)), sent] }),
  },
  {
    ...readers,
    verb: 'imm',
    initiator: 'server',
    rights: { client: ['REMOTE_WRITE'] },
    oneWay: true,
    moves: (spot) => ({
      client: [received(), recv(null)],
      server: [writeImm(shared(spot), result(spot)), sent],
    }),
  },
  {
    ...readers,
    verb: 'read',
    initiator: 'client',
    rights: { server: ['REMOTE_READ'] },
    moves: (spot) => ({ client: [read(result(spot), shared(spot)), sent], server: [] }),
  },
  {
    ...readers,
    verb: 'atomic',
    initiator: 'client',
    rights: { server: ['REMOTE_ATOMIC'] },
    moves: (spot) => ({ client: [fetchAdd(result(spot), shared(spot), 0), sent], server: [] }),
  },
  {
    ...counter,
    verb: 'send',
    rights: {},
    moves: (spot) => ({
      client: [recv(result(spot)), send(amount(spot, spot.client)), received(), sent],
      server: [received(), recv(amount(spot, spot.server)), addition(spot), send(sum(spot)), sent],
    }),
  },
  {
    ...counter,
    verb: 'imm',
    rights: { client: ['REMOTE_WRITE'], server: ['REMOTE_WRITE'] },
    moves: (spot) => ({
      client: [recv(null), writeImm(amount(spot, spot.client), amount(spot, spot.server)), received(), sent],
      server: [received(), recv(null), addition(spot), writeImm(sum(spot), result(spot)), sent],
    }),
  },
  {
    ...counter,
    verb: 'atomic',
    rights: { server: ['REMOTE_ATOMIC'] },
    moves: (spot) => ({ client: [fetchAdd(result(spot), shared(spot), 1), sent], server: [] }),
  },
];
