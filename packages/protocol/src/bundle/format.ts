import { z } from 'zod';
import { zRunNote, zTag } from '../notebook.js';
import { MAX_NOTE_TEXT, MAX_NOTES, MAX_TAGS, tagOf } from '../notebook-limits.js';
import { zRunId, zRunRecord } from '../runs.js';
import { zCount } from '../verbs.js';

/**
 * A run bundle (`.vlrun`): one run in one file, to be imported by another agent. docs/export.md describes it.
 *
 *   8 bytes   BUNDLE_MAGIC
 *   u32       length of the manifest (little-endian, as all numbers)
 *   manifest  JSON, not compressed
 *   blocks    each a u32, the length of what follows, and raw deflate of BLOCK_BYTES; the last may hold less
 *   u32       0: no more blocks
 *
 * The blocks together hold items one after the other, each a u32 kind (ITEM_KINDS), a u32 length, and its bytes: first
 * the events and frames of the run, then the pieces of its capture file, and last the seal.
 *
 * The version number of the format grows when a reader would have to change.
 */
export const BUNDLE_FORMAT = 1;
/** The first version of Verbs Lab that reads the format. */
export const BUNDLE_NEEDS = '0.1.0';

export const BLOCK_BYTES = 1024 * 1024;
/** Most bytes of a compressed block. Deflate adds a few bytes to incompressible data. */
export const MAX_PACKED_BYTES = BLOCK_BYTES + 64 * 1024;
export const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;
/** Most bytes of the run's record. Lists include it, so it must be smaller than the file. */
export const MAX_RECORD_BYTES = 4 * 1024 * 1024;
/** Most bytes of an event or frame. */
export const MAX_ITEM_BYTES = 64 * 1024 * 1024;
/** Most gaps between the items of a damaged record. */
export const MAX_GAPS = 1024;

export const ITEM_KINDS = { event: 1, frame: 2, capture: 3, seal: 4 } as const;
export const ITEM_HEADER_BYTES = 8;

/** Fields of a manifest in any format. */
export const zBundleHead = z.object({ format: z.int().min(1), needs: z.string().max(64) });

/** Milliseconds since 1970, within the range of a Date. */
const zTime = z.number().min(0).max(8.64e15);

/** Tags that `note.write` and `run.tag` would accept. */
const zTags = z.array(zTag.refine((tag) => tagOf(tag) === tag, 'it is no tag')).max(MAX_TAGS);
const zNotebook = z.object({
  tags: zTags,
  notes: z
    .array(
      zRunNote.extend({
        text: z.string().max(MAX_NOTE_TEXT),
        tags: zTags,
        createdAt: zTime,
        changedAt: zTime,
      }),
    )
    .max(MAX_NOTES),
});

export const zBundleManifest = zBundleHead.extend({
  /** Version of Verbs Lab that wrote the bundle. */
  program: z.string().max(64),
  exportedAt: zTime,
  /** Name of the host that exported the run. */
  host: z.string().max(256),
  /** The run. Lists show the fields that are bounded here. */
  run: zRunRecord.extend({
    lab: z.string().max(64),
    title: z.string().max(500),
    createdAt: zTime,
    startedAt: zTime.nullable(),
    endedAt: zTime.nullable(),
  }),
  /** IDs of the runs of the programs at the other end. Only for a program. */
  peers: z.array(zRunId).max(64),
  /** Notes and tags of people. */
  notebook: zNotebook,
});
export type BundleManifest = z.infer<typeof zBundleManifest>;

const zSha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Digests of the content, to detect changes. */
export const zBundleSeal = z.object({
  /** Digest of the manifest's bytes. */
  manifest: zSha256,
  /** Digest of events and frames with their headers. */
  stream: z.object({ items: zCount, sha256: zSha256 }),
  /** Digest of the capture file; null if the run has none. */
  capture: z.object({ bytes: zCount, sha256: zSha256 }).nullable(),
});
export type BundleSeal = z.infer<typeof zBundleSeal>;

export interface Digest {
  update: (bytes: Uint8Array) => void;
  /** Returns the digest. Called once, at the end. */
  hex: () => string;
}

/** Compression and hashing, which the caller provides. */
export interface Pack {
  /** Compresses to raw deflate. */
  deflate: (bytes: Uint8Array) => Promise<Uint8Array>;
  /** Rejects unless `bytes` are exactly one raw deflate stream of at most `most` bytes. */
  inflate: (bytes: Uint8Array, most: number) => Promise<Uint8Array>;
  sha256: () => Digest;
}
