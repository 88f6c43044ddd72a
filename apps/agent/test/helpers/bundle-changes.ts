// Ways to damage a bundle, like a disk, a network, or an attacker who knows the format.
import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { BLOCK_BYTES, BUNDLE_MAGIC, ITEM_KINDS } from '@verbslab/protocol/bundle';
import fc from 'fast-check';

const HEAD = BUNDLE_MAGIC.length + 4;
const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);

/** A bundle taken apart: its manifest, and what its blocks hold, inflated. */
interface Parts {
  manifest: Buffer;
  body: Buffer;
}

function apart(bundle: Buffer): Parts {
  const at = HEAD + bundle.readUInt32LE(HEAD - 4);
  const blocks: Buffer[] = [];
  for (let next = at; bundle.readUInt32LE(next) > 0; next += 4 + bundle.readUInt32LE(next))
    blocks.push(inflateRawSync(bundle.subarray(next + 4, next + 4 + bundle.readUInt32LE(next))));
  return { manifest: bundle.subarray(HEAD, at), body: Buffer.concat(blocks) };
}

function together({ manifest, body }: Parts): Buffer {
  const pieces = [Buffer.from(BUNDLE_MAGIC), u32(manifest.length), manifest];
  for (let at = 0; at < body.length; at += BLOCK_BYTES) {
    const packed = deflateRawSync(body.subarray(at, at + BLOCK_BYTES));
    pieces.push(u32(packed.length), packed);
  }
  return Buffer.concat([...pieces, u32(0)]);
}

/** Items of a body, each with its header. */
function itemsOf(body: Buffer): Buffer[] {
  const items: Buffer[] = [];
  for (let at = 0; at < body.length; at += items.at(-1)!.length)
    items.push(body.subarray(at, at + 8 + body.readUInt32LE(at + 4)));
  return items;
}

type Mutation = (bytes: Buffer) => Buffer;
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const at = (bytes: Buffer, where: number): number => Math.floor(bytes.length * where);
const HUGE = [0, 1, 7, 8, 255, 65_536, 0x7fff_ffff, 0xffff_fff8, 0xffff_ffff];

/** Damage to bytes of any kind. */
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, fc.nat(7)).map(([where, bit]): Mutation => (bytes) => {
    const other = Buffer.from(bytes);
    if (other.length > 0) other[at(bytes, where)]! ^= 1 << bit;
    return other;
  }),
  place.map(
    (where): Mutation =>
      (bytes) =>
        bytes.subarray(0, at(bytes, where)),
  ),
  fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 40 })).map(
    ([where, more]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, at(bytes, where)), more, bytes.subarray(at(bytes, where))]),
  ),
  fc.tuple(place, place).map(([a, b]): Mutation => (bytes) => {
    const [from, to] = [at(bytes, Math.min(a, b)), at(bytes, Math.max(a, b))];
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  }),
  fc.tuple(place, fc.constantFrom(...HUGE)).map(([where, value]): Mutation => (bytes) => {
    const other = Buffer.from(bytes);
    if (other.length >= 4) other.writeUInt32LE(value, Math.min(at(bytes, where), other.length - 4));
    return other;
  }),
);

/** Damage to the items of a stream: one is changed, lost, doubled, or swapped with another. */
const ofItems: fc.Arbitrary<(items: Buffer[]) => Buffer[]> = fc.oneof(
  fc.tuple(place, mutation).map(
    ([where, change]) =>
      (items: Buffer[]) =>
        items.with(Math.floor(items.length * where), change(items[Math.floor(items.length * where)]!)),
  ),
  place.map((where) => (items: Buffer[]) => items.toSpliced(Math.floor(items.length * where), 1)),
  place.map((where) => (items: Buffer[]) => {
    const index = Math.floor(items.length * where);
    return items.toSpliced(index, 0, items[index]!);
  }),
  fc.tuple(place, place).map(([a, b]) => (items: Buffer[]) => {
    const [one, other] = [Math.floor(items.length * a), Math.floor(items.length * b)];
    return items.with(one, items[other]!).with(other, items[one]!);
  }),
  // An item that claims another length or kind than its own.
  fc
    .tuple(place, fc.constantFrom(0, 4), fc.constantFrom(...HUGE))
    .map(([where, field, value]) => (items: Buffer[]) => {
      const index = Math.floor(items.length * where);
      const item = Buffer.from(items[index]!);
      if (item.length >= 8) item.writeUInt32LE(value, field);
      return items.with(index, item);
    }),
);

const digest = (...pieces: Buffer[]): string =>
  createHash('sha256').update(Buffer.concat(pieces)).digest('hex');

/** Makes a bundle of these items with a seal that fits them, like an attacker who knows the format. */
function sealed(manifest: Buffer, items: Buffer[]): Buffer {
  const kind = (item: Buffer): number => (item.length < 4 ? 0 : item.readUInt32LE(0));
  const capture = items.filter((item) => kind(item) === ITEM_KINDS.capture).map((item) => item.subarray(8));
  const stream = items.filter((item) => kind(item) === ITEM_KINDS.event || kind(item) === ITEM_KINDS.frame);
  const seal = Buffer.from(
    JSON.stringify({
      manifest: digest(manifest),
      stream: { items: stream.length, sha256: digest(...stream) },
      capture: { bytes: Buffer.concat(capture).length, sha256: digest(...capture) },
    }),
  );
  return together({
    manifest,
    body: Buffer.concat([...items, u32(ITEM_KINDS.seal), u32(seal.length), seal]),
  });
}

/** Replaces a value at some place in JSON. */
function elsewhere(json: unknown, where: readonly number[], value: unknown): unknown {
  if (where.length === 0 || typeof json !== 'object' || json === null) return value;
  const keys = Object.keys(json);
  if (keys.length === 0) return value;
  const key = keys[where[0]! % keys.length]!;
  const copy = (Array.isArray(json) ? [...(json as unknown[])] : { ...json }) as Record<string, unknown>;
  copy[key] = elsewhere(copy[key], where.slice(1), value);
  return copy;
}

const otherValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(1e308, -1, 2 ** 53, 0xffff_ffff, '../../etc/passwd', '__proto__', 'x'.repeat(100_000)),
);
const otherJson = fc.tuple(fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }), otherValue).map(
  ([where, value]) =>
    (bytes: Buffer) =>
      Buffer.from(JSON.stringify(elsewhere(JSON.parse(bytes.toString()), where, value))),
);

const ofJson: fc.Arbitrary<(items: Buffer[]) => Buffer[]> = fc
  .tuple(place, otherJson)
  .map(([where, change]) => (items: Buffer[]) => {
    const index = Math.floor(items.length * where);
    const item = items[index]!;
    if (item.length < 8 || item.readUInt32LE(0) !== ITEM_KINDS.event) return items;
    try {
      const json = change(item.subarray(8));
      return items.with(index, Buffer.concat([u32(ITEM_KINDS.event), u32(json.length), json]));
    } catch {
      return items; // Another change has turned it into something other than JSON.
    }
  });

export const forgeries: fc.Arbitrary<(bundle: Buffer) => Buffer> = fc
  .tuple(fc.option(otherJson), fc.array(fc.oneof(ofItems, ofJson), { maxLength: 3 }))
  .map(([ofManifest, all]) => (bundle: Buffer) => {
    const { manifest, body } = apart(bundle);
    const items = all.reduce(
      (list, change) => (list.length === 0 ? list : change(list)),
      itemsOf(body).slice(0, -1),
    );
    return sealed(ofManifest ? ofManifest(manifest) : manifest, items);
  });

/** Damaged bundles whose seal does not fit. */
export const changes: fc.Arbitrary<(bundle: Buffer) => Buffer> = fc.oneof(
  fc
    .array(mutation, { minLength: 1, maxLength: 3 })
    .map((all) => (bundle: Buffer) => all.reduce((b, m) => m(b), bundle)),
  fc.array(mutation, { minLength: 1, maxLength: 2 }).map((all) => (bundle: Buffer) => {
    const { manifest, body } = apart(bundle);
    return together({ manifest: all.reduce((b, m) => m(b), manifest), body });
  }),
  fc.array(mutation, { minLength: 1, maxLength: 2 }).map((all) => (bundle: Buffer) => {
    const { manifest, body } = apart(bundle);
    return together({ manifest, body: all.reduce((b, m) => m(b), body) });
  }),
  fc.array(ofItems, { minLength: 1, maxLength: 3 }).map((all) => (bundle: Buffer) => {
    const { manifest, body } = apart(bundle);
    return together({ manifest, body: Buffer.concat(all.reduce((items, m) => m(items), itemsOf(body))) });
  }),
  // A bomb: a few KiB that inflate to any size.
  fc.nat(12).map((mebibytes) => (bundle: Buffer) => {
    const { manifest, body } = apart(bundle);
    const bomb = Buffer.alloc(mebibytes * BLOCK_BYTES);
    return together({ manifest, body: Buffer.concat([body.subarray(0, 8), bomb, body]) });
  }),
);
