import { describe, expect, it } from 'vitest';
import { PROTOCOLS_THERE } from '../src/filter/wireshark-names.js';
import { decodePacket, filterFields, glossary, readCapture } from '../src/index.js';
import type { Field, Layer } from '../src/index.js';
import { hex } from '../src/base/bytes.js';
import { captureBytes, capturePath, captures } from './lib/testdata.js';
import { dissect, hasTshark, tshark } from './lib/tshark.js';
import type { TsharkField } from './lib/tshark.js';

/** Fields that Wireshark 4.0 shows differently on purpose, each with the reason. */
const NOT_OURS = new Set([
  'infiniband.mad', // Wireshark includes the message, this package ends with the header
  'infiniband.mad.data', // the whole CM message again, as bytes
  'infiniband.smplid.smpdata', // again, under the name of another management class
  'infiniband.cm.req.ip_cm', // a layer in this package
]);
/**
 * Wireshark 4.0 reads three bytes of this four-byte word, so its values are shifted by eight bits. The kernel's
 * ibta_vol1_c12.h has the values of this package.
 */
const WRONG_THERE = /^infiniband\.cm\.req\.(prim|alt)_(flowlabel|reserved0|pktrate)$/;
/** Wireshark shows only the IPv4 form where a GID or an IP CM address is one. */
const SIXTEEN_BYTES = /^infiniband\.cm\.req\.(prim_(local|remote)gid|ip_cm\.[sd]ip6)$/;
/** Outside InfiniBand only the fields of this package are compared: Wireshark computes many more. */
const COMPARED = /^(eth|ip|ipv6|udp|tcp|infiniband)\./;

function valueOf(field: Field, packet: Uint8Array): bigint | string {
  if (typeof field.value === 'string' || field.value instanceof Uint8Array)
    return hex(packet.subarray(field.offset, field.offset + field.length));
  return BigInt(field.value);
}

function theirValue(theirs: TsharkField, ours: Field): bigint {
  const raw = BigInt('0x' + theirs.raw);
  if (theirs.mask !== 0 || ours.mask === undefined) return raw;
  // Wireshark gives the whole byte where this package masks.
  let mask = BigInt(ours.mask);
  let value = raw & mask;
  while ((mask & 1n) === 0n) {
    mask >>= 1n;
    value >>= 1n;
  }
  return value;
}

const same = (theirs: TsharkField, ours: Field, packet: Uint8Array): boolean => {
  const mine = valueOf(ours, packet);
  return mine === (typeof mine === 'string' ? theirs.raw : theirValue(theirs, ours));
};

const bthOf = (layers: Layer[]): number => layers.find((l) => l.id === 'bth')!.offset;

describe.skipIf(!hasTshark)('tshark agrees', () => {
  it.each(captures)('about every field of %s', (name) => {
    const theirs = dissect(capturePath(name));
    const { records } = readCapture(captureBytes(name));
    expect(records.length).toBe(theirs.length);
    let compared = 0;
    records.forEach((record, i) => {
      const where = `packet ${i + 1}`;
      const { layers, error } = decodePacket(record.data, record.linkType);
      expect(error, where).toBeUndefined();
      const fields = layers.flatMap((l) => l.fields);

      // Every InfiniBand field of Wireshark is one of this package, with the same place and value.
      for (const t of theirs[i]!) {
        if (!t.name.startsWith('infiniband.') || NOT_OURS.has(t.name) || WRONG_THERE.test(t.name)) continue;
        const layer = layers.find((l) => l.name === t.name && l.fields[0]?.name !== t.name);
        if (layer && t.name !== 'infiniband.cm') {
          expect([layer.offset, layer.length], `${where} ${t.name}`).toEqual([t.offset, t.length]);
          continue;
        }
        // Wireshark shows byte 4 of the BTH whole, this package shows FECN and BECN.
        if (t.name === 'infiniband.reserved' && t.offset === bthOf(layers) + 4) continue;
        const here = fields.filter((f) => f.name === t.name);
        const match = here.find((f) => f.offset === t.offset && f.length === t.length);
        expect(match, `${where}: ${t.name} at ${t.offset}+${t.length}`).toBeDefined();
        expect(same(t, match!, record.data), `${where}: ${t.name} is ${t.raw}, not ${match!.text}`).toBe(
          true,
        );
        compared++;
      }

      // Every field of this package with a Wireshark name is there. (Wireshark has no SIDR fields, so none reserved.)
      for (const f of fields) {
        if (
          f.name === 'infiniband.reserved' ||
          !f.inWireshark ||
          !COMPARED.test(f.name) ||
          SIXTEEN_BYTES.test(f.name) ||
          WRONG_THERE.test(f.name)
        )
          continue;
        const candidates = theirs[i]!.filter((t) => t.name === f.name);
        const match = candidates.find((t) => t.offset === f.offset);
        expect(match, `${where}: ${f.name} at ${f.offset}`).toBeDefined();
        expect(same(match!, f, record.data), `${where}: ${f.name} is ${match!.raw}, not ${f.text}`).toBe(
          true,
        );
        compared++;
      }
    });
    expect(compared).toBeGreaterThan(records.length * 30);
  });

  it('about the protocols that only it decodes', () => {
    const known = new Set(
      tshark('-G', 'fields')
        .split('\n')
        .map((line) => line.split('\t'))
        .filter((columns) => columns[0] === 'P')
        .map((columns) => columns[2]),
    );
    for (const name of PROTOCOLS_THERE) {
      expect(known.has(name), name).toBe(true);
      expect(filterFields().has(name), name).toBe(false);
    }
  });

  it('about every field name that is marked as one of its own', () => {
    const known = new Set(
      tshark('-G', 'fields')
        .split('\n')
        .map((line) => line.split('\t'))
        .filter((columns) => columns[0] === 'F')
        .map((columns) => columns[2]),
    );
    for (const entry of glossary().values())
      expect(known.has(entry.name), `${entry.name} of ${entry.header}`).toBe(entry.inWireshark);
  });
});
