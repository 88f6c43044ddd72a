// gzip data of one or several members, whole and damaged, in parts of any size.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Gunzip } from '../src/index.js';
import { newSeed, Random } from './lib/random.js';

/** Unpacks data that comes in parts. */
function unpack(packed: Uint8Array, part: () => number = () => packed.length) {
  const out: Uint8Array[] = [];
  const gunzip = new Gunzip((bytes) => out.push(bytes));
  for (let at = 0; at < packed.length;) {
    const end = at + Math.max(1, part());
    gunzip.push(packed.subarray(at, end));
    at = end;
  }
  return { bytes: Buffer.concat(out), damage: gunzip.end() };
}

const abc = gzipSync('abc');
const def = gzipSync('def');

describe('gzip data', () => {
  it('may have several members, and zeros behind and between them', () => {
    const whole = { bytes: Buffer.from('abcdef'), damage: undefined };
    expect(unpack(Buffer.concat([abc, def]))).toEqual(whole);
    expect(unpack(Buffer.concat([abc, def, Buffer.alloc(512)]))).toEqual(whole);
    expect(unpack(Buffer.concat([abc, Buffer.alloc(9), def]))).toEqual(whole);
    expect(unpack(Buffer.concat([abc, gzipSync(''), def]))).toEqual(whole);
  });

  it('is read up to what is no gzip data', () => {
    for (const garbage of ['garbage', '\u001f', 'g']) {
      const { bytes, damage } = unpack(Buffer.concat([abc, def, Buffer.from(garbage)]));
      expect(bytes.toString()).toBe('abcdef');
      expect(damage, garbage).toBeTruthy();
    }
    expect(unpack(Buffer.concat([abc, Buffer.from('garbage')])).damage).toBe(
      'incorrect header check: what follows is no gzip data',
    );
  });

  it('is read up to a member that is cut, or whose checksum is wrong', () => {
    expect(unpack(Buffer.concat([abc, def]).subarray(0, -1))).toEqual({
      bytes: Buffer.from('abcdef'),
      damage: 'unexpected end of file',
    });
    const wrong = Buffer.from(def);
    wrong[wrong.length - 6]! ^= 1;
    expect(unpack(Buffer.concat([abc, wrong, abc]))).toEqual({
      bytes: Buffer.from('abcdef'),
      damage: 'incorrect data check',
    });
  });

  it('is the same in parts of any size, and what comes before a cut is a beginning of it', () => {
    const seed = newSeed();
    const random = new Random(seed);
    for (let run = 0; run < 25; run++) {
      const name = `VERBSLAB_SEED=${seed}, run ${run}`;
      const members = Array.from({ length: 1 + random.below(5) }, () => {
        const bytes = random.bytes(random.pick([0, 1, 100, 5000, 30_000]));
        return random.below(2) === 0 ? bytes : bytes.map((byte) => byte & 3);
      });
      const whole = Buffer.concat(members);
      const packed = Buffer.concat(members.map((bytes) => gzipSync(bytes, { level: random.below(10) })));
      const most = random.pick([30, 300, 30_000]);
      const part = () => random.below(most);
      const read = unpack(packed, part);
      expect(read.damage, name).toBeUndefined();
      expect(read.bytes.equals(whole), name).toBe(true);
      const cut = unpack(packed.subarray(0, random.below(packed.length)), part);
      expect(whole.subarray(0, cut.bytes.length).equals(cut.bytes), name).toBe(true);
    }
  });
});
