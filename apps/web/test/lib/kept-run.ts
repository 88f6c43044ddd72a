/** Runs that were recorded on the embedded device, which the references of the pages show too. */
import type { RunEvent, RunRecord } from '@verbslab/protocol';
import { readBundle, type Pack } from '@verbslab/protocol/bundle';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

const fileOf = (name: string): URL => new URL(`../../../../e2e/looks/runs/${name}.vlrun`, import.meta.url);

const pack: Pack = {
  deflate: () => Promise.reject(new Error('nothing is written')),
  inflate: (bytes, most) => Promise.resolve(inflateRawSync(bytes, { maxOutputLength: most })),
  sha256: () => {
    const hash = createHash('sha256');
    return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
  },
};

export interface KeptRun {
  run: RunRecord;
  items: (RunEvent | Uint8Array)[];
}

/** A run of e2e/looks/runs. */
export async function keptRun(name: string): Promise<KeptRun> {
  let run: RunRecord | null = null;
  const items: KeptRun['items'] = [];
  for await (const part of readBundle(createReadStream(fileOf(name)), {
    pack,
    version: '0.1.0',
    limit: 2 ** 28,
  })) {
    if (part.what === 'manifest') run = part.manifest.run;
    else if (part.what === 'event') items.push(part.event);
    else if (part.what === 'frame') items.push(part.bytes);
  }
  return { run: run!, items };
}
