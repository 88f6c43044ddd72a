import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

type Piece = string | Uint8Array;
export type Pieces = Iterable<Piece> | AsyncIterable<Piece>;

async function* all(pieces: Pieces): AsyncGenerator<Piece> {
  yield* pieces;
}

async function* after(first: IteratorResult<Piece>, rest: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/**
 * Sends a body piece by piece. The first is made before anything is sent, so that its failure can still be answered
 * with a status. A failure of a later one cuts the connection: an HTTP/1.1 response without its last chunk is
 * incomplete to any client.
 */
export async function sendPieces(response: ServerResponse, pieces: Pieces): Promise<void> {
  const rest = all(pieces);
  const first = await rest.next();
  await pipeline(Readable.from(after(first, rest)), response);
}
