// Reads a bundle piece by piece without trust: it bounds every length before use and checks every item.
import { AppError } from '../errors.js';
import type { RunEvent } from '../events.js';
import { isFinal } from '../run-state.js';
import { ByteSource } from './byte-source.js';
import { viewOf } from '../frames.js';
import { sameBytes } from './bytes.js';
import {
  BLOCK_BYTES,
  BUNDLE_FORMAT,
  ITEM_HEADER_BYTES,
  ITEM_KINDS,
  MAX_GAPS,
  MAX_ITEM_BYTES,
  MAX_MANIFEST_BYTES,
  MAX_RECORD_BYTES,
  MAX_PACKED_BYTES,
  zBundleHead,
  zBundleManifest,
  type BundleManifest,
  type Pack,
} from './format.js';
import { BUNDLE_MAGIC } from './magic.js';
import { invalid, readEvent, readFrame, readJson } from './items.js';
import { changed, Tally } from './tally.js';
import { whatInstead } from './what-instead.js';

/**
 * Parts in this order: the manifest, the items of the stream, the pieces of the capture file. The bundle is complete
 * and unchanged only after all parts.
 */
export type BundlePart =
  | { what: 'manifest'; manifest: BundleManifest }
  | { what: 'event'; seq: number; t: number; text: string; event: RunEvent }
  | { what: 'frame'; seq: number; t: number; bytes: Uint8Array }
  | { what: 'capture'; bytes: Uint8Array };

export interface ReadOptions {
  pack: Pack;
  /** Version of the reading Verbs Lab. */
  version: string;
  /** Most bytes of the inflated run. */
  limit: number;
}

const cut = (where: string): AppError => new AppError('BUNDLE_CUT', { where });
const u32 = (bytes: Uint8Array, at = 0): number => viewOf(bytes).getUint32(at, true);
const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;

async function readManifest(file: ByteSource, version: string): Promise<[BundleManifest, Uint8Array]> {
  const magic = await file.upTo(BUNDLE_MAGIC.length);
  if (!sameBytes(magic, BUNDLE_MAGIC)) throw new AppError('NO_BUNDLE', { detail: whatInstead(magic) });
  const length = u32(await file.take(4, 'in its first bytes'));
  if (length > MAX_MANIFEST_BYTES) throw invalid(`its manifest claims ${length} bytes`);
  const bytes = await file.take(length, 'inside its manifest');
  const { format, needs } = readJson(bytes, zBundleHead, 'the manifest').value;
  if (format > BUNDLE_FORMAT)
    throw new AppError('BUNDLE_NEWER', { format, version, known: BUNDLE_FORMAT, needs });
  const { value: manifest } = readJson(bytes, zBundleManifest, 'the manifest');
  const record = JSON.stringify(manifest.run).length;
  if (record > MAX_RECORD_BYTES)
    throw invalid(
      `the record of its run has ${mebibytes(record)}, and ${mebibytes(MAX_RECORD_BYTES)} are the most`,
    );
  if (!isFinal(manifest.run.state)) throw invalid(`its run is ${manifest.run.state}, not finished`);
  return [manifest, bytes];
}

/** The inflated blocks. Every block but the last is full, so the limit bounds their number. */
async function* inflated(file: ByteSource, { pack, limit }: ReadOptions): AsyncGenerator<Uint8Array> {
  let total = 0;
  let last = false;
  for (;;) {
    const length = u32(await file.take(4, 'between two blocks'));
    if (length === 0) return;
    if (last) throw invalid('a block before the last one is not full');
    if (length > MAX_PACKED_BYTES) throw invalid(`a block claims ${length} bytes`);
    const packed = await file.take(length, 'inside a block');
    let bytes: Uint8Array;
    try {
      bytes = await pack.inflate(packed, BLOCK_BYTES);
    } catch (error) {
      throw changed(`a block cannot be inflated (${(error as Error).message})`);
    }
    if (bytes.length === 0) throw invalid('a block is empty');
    last = bytes.length < BLOCK_BYTES;
    total += bytes.length;
    if (total > limit)
      throw new AppError('BUNDLE_TOO_LARGE', {
        what: `its run takes more than ${mebibytes(limit)}`,
        limit: mebibytes(limit),
      });
    yield bytes;
  }
}

/** Checks the order of a stream: sequence numbers grow, with a limited number of gaps. */
class Order {
  #last = 0;
  #gaps = 0;

  get last(): number {
    return this.#last;
  }

  next({ seq, t }: { seq: number; t: number }, what: string): void {
    if (!(t <= Number.MAX_SAFE_INTEGER)) throw invalid(`${what} has no time`);
    if (seq <= this.#last) throw invalid(`${what} has the number ${seq}, after number ${this.#last}`);
    if (seq > this.#last + 1 && ++this.#gaps > MAX_GAPS)
      throw invalid(`more than ${MAX_GAPS} stretches of the stream are missing`);
    this.#last = seq;
  }
}

/** Throws AppError of the table `error-codes/bundles.ts` at the first error. */
export async function* readBundle(
  pieces: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<BundlePart, void, undefined> {
  const file = new ByteSource(pieces, cut);
  try {
    const [manifest, bytes] = await readManifest(file, options.version);
    yield { what: 'manifest', manifest };
    yield* readItems(new ByteSource(inflated(file, options), cut), manifest, new Tally(options.pack, bytes));
    if ((await file.upTo(1)).length > 0) throw changed('something follows its end');
  } finally {
    await file.close();
  }
}

async function* readItems(
  body: ByteSource,
  { run }: BundleManifest,
  tally: Tally,
): AsyncGenerator<BundlePart, void, undefined> {
  const order = new Order();
  for (;;) {
    const header = await body.take(ITEM_HEADER_BYTES, 'before its seal');
    const [kind, length] = [u32(header), u32(header, 4)];
    if (length > MAX_ITEM_BYTES) throw invalid(`an item claims ${length} bytes`);
    const bytes = await body.take(length, 'inside an item');
    if (kind === ITEM_KINDS.seal) {
      tally.check(bytes);
      break;
    }
    if (kind === ITEM_KINDS.capture) {
      if (length === 0) throw invalid('a piece of its capture is empty');
      tally.capture(bytes);
      yield { what: 'capture', bytes };
      continue;
    }
    if (tally.captureBytes > 0) throw invalid('an event follows its capture');
    tally.item(header, bytes);
    const name = `item ${tally.items}`;
    if (kind === ITEM_KINDS.event) {
      const { text, value: event } = readEvent(bytes, name);
      order.next(event, name);
      yield { what: 'event', seq: event.seq, t: event.t, text, event };
    } else if (kind === ITEM_KINDS.frame) {
      const frame = readFrame(bytes, name);
      if (frame.run !== run.number) throw invalid(`${name} is of run ${frame.run}, not ${run.number}`);
      order.next(frame, name);
      yield { what: 'frame', seq: frame.seq, t: frame.t, bytes };
    } else throw invalid(`${name} has the unknown kind ${kind}`);
  }
  if (order.last !== run.lastSeq)
    throw invalid(`its stream ends at number ${order.last}, and its record says ${run.lastSeq}`);
  if ((await body.upTo(1)).length > 0) throw changed('something follows its seal');
}
