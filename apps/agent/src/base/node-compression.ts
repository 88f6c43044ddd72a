import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw, type InputType, type ZlibOptions } from 'node:zlib';
import type { Pack } from '@verbslab/protocol/bundle';

const deflate = promisify<InputType, ZlibOptions, Buffer>(deflateRaw);

/** `info` makes the answer report how much of the input was used. */
const inflate = promisify(inflateRaw) as unknown as (
  bytes: InputType,
  options: ZlibOptions,
) => Promise<{ buffer: Buffer; engine: { bytesWritten: number } }>;

/** Compression off the main thread, and hashes. */
export const nodePack: Pack = {
  deflate: (bytes) => deflate(bytes, { level: 6 }),
  async inflate(bytes, most) {
    const { buffer, engine } = await inflate(bytes, { maxOutputLength: most, info: true });
    if (engine.bytesWritten !== bytes.length) throw new Error('bytes follow the end of its data');
    return buffer;
  },
  sha256() {
    const hash = createHash('sha256');
    return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
  },
};
