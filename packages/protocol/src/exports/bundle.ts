import { u32s, utf8Bytes } from '../bundle/bytes.js';
import {
  BLOCK_BYTES,
  BUNDLE_FORMAT,
  BUNDLE_NEEDS,
  ITEM_KINDS,
  MAX_MANIFEST_BYTES,
  type BundleManifest,
  type BundleSeal,
  type Pack,
} from '../bundle/format.js';
import { BUNDLE_MAGIC } from '../bundle/magic.js';
import { AppError } from '../errors.js';
import { isFinal } from '../run-state.js';
import type { RunRecord } from '../runs.js';
import type { ExportFormat, ExportSource } from './format.js';
import { FORMATS } from './formats.js';

/** Splits the input into blocks of one size and compresses each. Neither end ever holds more than a block. */
async function* blocks(
  pieces: AsyncIterable<Uint8Array>,
  deflate: Pack['deflate'],
): AsyncGenerator<Uint8Array> {
  const block = new Uint8Array(BLOCK_BYTES);
  let used = 0;
  async function* packed(): AsyncGenerator<Uint8Array> {
    const bytes = await deflate(block.subarray(0, used));
    used = 0;
    yield u32s(bytes.length);
    yield bytes;
  }
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + BLOCK_BYTES - used);
      block.set(part, used);
      used += part.length;
      at += part.length;
      if (used === BLOCK_BYTES) yield* packed();
    }
  }
  if (used > 0) yield* packed();
  yield u32s(0);
}

/** Removes paths of this machine: they must not leave it. */
const withoutPath = (run: RunRecord): RunRecord =>
  run.result ? { ...run, result: { ...run.result, captureFile: null } } : run;

function captureOf({ capture }: ExportSource): AsyncIterable<Uint8Array> | null {
  try {
    return capture();
  } catch (error) {
    if (error instanceof AppError && error.code === 'NO_CAPTURE') return null;
    throw error;
  }
}

async function* itemsOf(
  { items, pack }: ExportSource,
  manifest: Uint8Array,
  capture: AsyncIterable<Uint8Array> | null,
): AsyncGenerator<Uint8Array> {
  const sha256 = (bytes: Uint8Array): string => {
    const digest = pack.sha256();
    digest.update(bytes);
    return digest.hex();
  };
  const stream = pack.sha256();
  let count = 0;
  for await (const { seq, json, frame } of items()) {
    // Items without a number were only shown live. They are not part of the record.
    if (seq === 0) continue;
    const bytes = frame ?? utf8Bytes(json!);
    const header = u32s(frame ? ITEM_KINDS.frame : ITEM_KINDS.event, bytes.length);
    stream.update(header);
    stream.update(bytes);
    count++;
    yield header;
    yield bytes;
  }
  const packets = pack.sha256();
  let packetBytes = 0;
  for await (const bytes of capture ?? []) {
    if (bytes.length === 0) continue;
    packets.update(bytes);
    packetBytes += bytes.length;
    yield u32s(ITEM_KINDS.capture, bytes.length);
    yield bytes;
  }
  const seal: BundleSeal = {
    manifest: sha256(manifest),
    stream: { items: count, sha256: stream.hex() },
    capture: capture && { bytes: packetBytes, sha256: packets.hex() },
  };
  const bytes = utf8Bytes(JSON.stringify(seal));
  yield u32s(ITEM_KINDS.seal, bytes.length);
  yield bytes;
}

async function* written(
  source: ExportSource,
  manifest: Uint8Array,
  capture: AsyncIterable<Uint8Array> | null,
): AsyncGenerator<Uint8Array> {
  yield Uint8Array.from(BUNDLE_MAGIC);
  yield u32s(manifest.length);
  yield manifest;
  yield* blocks(itemsOf(source, manifest, capture), source.pack.deflate);
}

export const bundle: ExportFormat = {
  ...FORMATS.bundle,
  /** Throws AppError RUN_STATE for a run that has not ended: an imported one would never end. */
  write(source) {
    const { run, host, version, peers, notebook } = source;
    if (!isFinal(run.state)) throw new AppError('RUN_STATE', { state: run.state, needed: 'finished' });
    const manifest: BundleManifest = {
      format: BUNDLE_FORMAT,
      needs: BUNDLE_NEEDS,
      program: version,
      exportedAt: Date.now(),
      host,
      run: withoutPath(run),
      peers: [...peers()],
      notebook: notebook(),
    };
    const bytes = utf8Bytes(JSON.stringify(manifest));
    if (bytes.length > MAX_MANIFEST_BYTES)
      throw new AppError('LIMIT', {
        what: 'Bytes of the run’s record',
        value: bytes.length,
        limit: MAX_MANIFEST_BYTES,
      });
    return written(source, bytes, captureOf(source));
  },
};
