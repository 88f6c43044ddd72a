/** The ways to get an answer that is computed from the server’s data. */
import type { EndpointResult, Move } from '@verbslab/protocol';
import type { ShippedFunction } from '../lambda/functions.js';
import { remoteOf } from '../endpoints/side.js';
import { DATA, IMAGE, placeOf, RESULT, RESULT_BYTES, writeImm } from '../lambda/endpoints.js';
import { loadAt, type Ends } from './endpoints.js';

export const WAYS = [
  { id: 'ship', title: 'Ship the function' },
  { id: 'call', title: 'Call a function that is there' },
  { id: 'read', title: 'READ the data' },
] as const;
export type WayId = (typeof WAYS)[number]['id'];

export interface Job {
  ends: Ends;
  one: ShippedFunction;
  /** Answers as base64, by the size of the data: the first of each, for functions that JavaScript does not have. */
  first: Map<number, string>;
  imageBytes: number;
  /** The function as each end has loaded it. */
  loaded: Record<'client' | 'server', EndpointResult<'lambda.load'>['lambda']>;
}

const sent: Move = { move: 'sent', count: 1 };
const received: Move = { move: 'received', count: 1 };
const recv: Move = { move: 'recv', wr: {} };

/** Moves of each end in one call; the server’s first RECV is there. */
export function movesOf(
  way: WayId,
  { ends, one, imageBytes, loaded }: Job,
  size: number,
): Record<'client' | 'server', Move[]> {
  const { client, server } = ends;
  const places = (end: typeof client) => ({
    input: placeOf(end, DATA, size),
    output: placeOf(end, RESULT, RESULT_BYTES),
  });
  if (way === 'read') {
    const wr = {
      opcode: 'RDMA_READ' as const,
      local: [placeOf(client, DATA, size)],
      remote: remoteOf(server, DATA),
    };
    const run: Move = { move: 'run', lambda: loaded.client, ...places(client) };
    return { client: [{ move: 'post', wr }, sent, run], server: [] };
  }
  const shipped = way === 'ship' ? imageBytes : 0;
  const work: Move =
    way === 'ship'
      ? { move: 'load-and-run', ...loadAt(server, imageBytes, ends), ...places(server) }
      : { move: 'run', lambda: loaded.server, ...places(server) };
  return {
    client: [recv, { move: 'post', wr: writeImm(client, server, IMAGE, shipped, size) }, sent, received],
    server: [
      received,
      recv,
      work,
      { move: 'post', wr: writeImm(server, client, RESULT, one.outputBytes, 0) },
      sent,
    ],
  };
}

/** Payload bytes on the wire, both directions. */
export const payloadOf = (
  way: WayId,
  { one, imageBytes }: Pick<Job, 'one' | 'imageBytes'>,
  size: number,
): number => (way === 'read' ? size : (way === 'ship' ? imageBytes : 0) + one.outputBytes);
