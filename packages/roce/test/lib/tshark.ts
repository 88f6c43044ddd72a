import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const hasTshark = spawnSync('tshark', ['--version']).status === 0;

export function tshark(...args: string[]): string {
  return execFileSync('tshark', args, {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Runs `use` on a file with these bytes. */
export function withFile<T>(bytes: Uint8Array, use: (path: string) => T, name = 'capture.pcapng'): T {
  const folder = mkdtempSync(join(tmpdir(), 'roce-test-'));
  try {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A field as tshark decodes it. */
export interface TsharkField {
  name: string;
  /** Hexadecimal digits: the bytes, or the value when `mask` is not 0. */
  raw: string;
  offset: number;
  length: number;
  mask: number;
}

type Json = { [key: string]: Json } | unknown[] | string;

/** Every field of every packet of a file. */
export function dissect(path: string, ...more: string[]): TsharkField[][] {
  const packets = JSON.parse(tshark('-r', path, '-T', 'json', '-x', '--no-duplicate-keys', ...more)) as {
    _source: { layers: { [key: string]: Json } };
  }[];
  return packets.map((p) => {
    const fields: TsharkField[] = [];
    walk(p._source.layers, fields);
    return fields;
  });
}

function walk(node: Json, into: TsharkField[]): void {
  if (Array.isArray(node)) {
    for (const n of node) if (typeof n === 'object' && n !== null) walk(n as Json, into);
    return;
  }
  if (typeof node === 'string') return;
  for (const [key, value] of Object.entries(node)) {
    // "x_raw" accompanies "x"; a field whose own name ends in _raw is followed by "x_raw_raw".
    if (key.endsWith('_raw') && Array.isArray(value) && key.slice(0, -4) in node) {
      const list = (Array.isArray(value[0]) ? value : [value]) as [string, number, number, number][];
      for (const [raw, offset, length, mask] of list)
        into.push({ name: key.slice(0, -4), raw, offset, length, mask });
    } else {
      walk(value, into);
    }
  }
}
