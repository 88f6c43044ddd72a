import { describe, expect, it } from 'vitest';
import {
  analyze,
  captureJson,
  decodeFile,
  decodePacket,
  diagnoseFile,
  indexCapture,
  ladderModel,
  LinkType,
  locate,
  packetRows,
  psnTimeModel,
  readCapture,
  Reassembler,
  summarizeCapture,
  summarizePacket,
  writePcapng,
} from '../src/index.js';
import type { CaptureRecord } from '../src/index.js';
import { ENCAPSULATIONS, inEthernet, inIpv4, inIpv6, inUdp } from './lib/encapsulations.js';
import { fragments4, fragments6 } from './lib/fragments.js';
import { newSeed, Random } from './lib/random.js';
import { captureBytes, captures } from './lib/testdata.js';

/**
 * Feeds random bytes to every parser. None may throw or read outside the packet, and all results must be consistent.
 * VERBSLAB_FUZZ_SECONDS is the time for all targets together; VERBSLAB_SEED replays a seed.
 */
const TARGETS = 6;
const milliseconds = (Number(process.env.VERBSLAB_FUZZ_SECONDS ?? 4) * 1000) / TARGETS;
const LINKS = [...Object.values(LinkType), 0, 147];

const samples: CaptureRecord[] = captures.flatMap((name) => readCapture(captureBytes(name)).records);
const wrapped = Object.values(ENCAPSULATIONS);
const files: Uint8Array[] = (() => {
  const few = samples.filter((_, i) => i % 40 === 0);
  const ng = writePcapng(
    [{ linkType: LinkType.ETHERNET, name: 'a' }, { linkType: LinkType.RAW }],
    few.map((r, i) => ({
      ...r,
      interfaceId: i % 2,
      comments: i % 3 ? ['c'] : [],
      direction: i % 2 ? 'in' : 'out',
    })),
  );
  return [ng, captureBytes(captures[0]).slice(0, 20_000)];
})();

/** Repeats `step` for its share of the time, each round from a seed that is printed on failure. */
function shake(step: (random: Random) => void): void {
  const end = performance.now() + milliseconds;
  let rounds = 0;
  const first = newSeed();
  console.log(`fuzz seed ${first}`);
  do {
    const seed = (first + rounds) >>> 0;
    try {
      step(new Random(seed));
    } catch (cause) {
      throw new Error(`VERBSLAB_SEED=${seed} fails`, { cause });
    }
    rounds++;
  } while (performance.now() < end);
  console.log(`${rounds} rounds`);
}

/** A sample with some bytes changed, cut or added. */
function mutate(random: Random, source: Uint8Array): Uint8Array {
  let bytes = source.slice();
  const headers = Math.min(bytes.length, 120);
  for (let n = random.below(6); n > 0 && headers > 0; n--)
    bytes[random.below(headers)] = random.next() & 0xff;
  if (random.below(3) === 0) bytes = bytes.slice(0, random.below(bytes.length + 1));
  if (random.below(6) === 0) bytes = Uint8Array.from([...bytes, ...random.bytes(random.below(20))]);
  return bytes;
}

function checkPacket(bytes: Uint8Array, linkType: number, thorough: boolean): void {
  // A larger buffer, so that reading beyond the end shows as a wrong result and not as undefined.
  const buffer = new Uint8Array(bytes.length + 64).fill(0xee);
  buffer.set(bytes, 32);
  const packet = buffer.subarray(32, 32 + bytes.length);
  const decoded = decodePacket(packet, linkType);
  const n = packet.length;
  for (const layer of decoded.layers) {
    if (layer.offset < 0 || layer.length < 0 || layer.offset + layer.length > n)
      throw new Error(`layer ${layer.id} at ${layer.offset}+${layer.length} of ${n}`);
    for (const f of layer.fields)
      if (f.offset < layer.offset || f.offset + f.length > layer.offset + layer.length)
        throw new Error(
          `field ${f.name} at ${f.offset}+${f.length} is outside ${layer.id} ${layer.offset}+${layer.length}`,
        );
  }
  const { error, summary } = decoded;
  if (error && (error.offset < 0 || error.offset > n)) throw new Error(`error at ${error.offset} of ${n}`);
  if (
    summary.payloadOffset < 0 ||
    summary.payloadOffset > n ||
    summary.payloadLength < 0 ||
    // A cut packet has the length that its headers state.
    (!summary.cut && summary.payloadOffset + summary.payloadLength > n)
  )
    throw new Error(`payload ${summary.payloadOffset}+${summary.payloadLength} of ${n}`);
  if (!thorough) return;
  expect(summarizePacket(packet, linkType)).toEqual(summary);
  // Bytes around the packet have no influence.
  buffer.fill(0x11, 0, 32);
  buffer.fill(0x11, 32 + n);
  expect(decodePacket(packet, linkType)).toEqual(decoded);
}

/** Tunnels: IPv4 packets around another packet. */
const TUNNELS: ((inner: Uint8Array) => Uint8Array)[] = [
  (inner) => inIpv4(47, Uint8Array.from([0, 0, 0x65, 0x58, ...inEthernet(0x0800, inner)])),
  (inner) => inIpv4(47, Uint8Array.from([0x30, 0, 8, 0, 0, 0, 0, 1, 0, 0, 0, 2, ...inner])),
  (inner) => inIpv4(4, inner),
  (inner) => inIpv4(17, inUdp(4789, Uint8Array.from([8, 0, 0, 0, 0, 0, 1, 0, ...inEthernet(0x0800, inner)]))),
  (inner) =>
    inIpv4(17, inUdp(6081, Uint8Array.from([0, 0, 0x65, 0x58, 0, 0, 1, 0, ...inEthernet(0x0800, inner)]))),
  (inner) => inIpv4(137, Uint8Array.from([0, 0x10, 0x01, 64, ...inner])),
];
const PFC = Uint8Array.from([
  1,
  0x80,
  0xc2,
  0,
  0,
  1,
  2,
  0,
  0,
  0,
  0,
  1,
  0x88,
  0x08,
  1,
  1,
  0,
  0xff,
  ...Array<number>(44).fill(9),
]);
/** Limit of datagrams that are reassembled at a time. */
const MAX_PENDING = 256;
const MAX_LAYERS = 200;

const longEnough = milliseconds * 2 + 30_000;

describe('whatever the bytes', () => {
  it('a packet is decoded without a fault', { timeout: longEnough }, () => {
    shake((random) => {
      const kind = random.below(4);
      const sample = random.below(2) === 0 ? random.pick(wrapped) : random.pick(samples);
      const source = kind === 0 ? random.bytes(random.below(300)) : mutate(random, sample.data);
      checkPacket(source, kind === 1 ? random.pick(LINKS) : sample.linkType, random.below(16) === 0);
    });
  });

  it('a RoCE packet with a random BTH is decoded without a fault', { timeout: longEnough }, () => {
    const roce = samples.filter((r) => summarizePacket(r.data, r.linkType).opcode !== undefined);
    shake((random) => {
      const bytes = random.pick(roce).data.slice();
      const bth = random.below(2) === 0 ? 42 : 62; // behind IPv4 or IPv6
      if (bth + 2 <= bytes.length) bytes.set(random.bytes(2), bth);
      const room = bytes.length - (bth + 12);
      if (room > 0) bytes.set(random.bytes(random.below(Math.min(room, 40))), bth + 12);
      checkPacket(bytes, LinkType.ETHERNET, random.below(16) === 0);
    });
  });

  it('a capture file is read as far as it is sound', { timeout: longEnough }, () => {
    shake((random) => {
      const source = random.pick(files);
      const bytes = random.below(8) === 0 ? random.bytes(random.below(400)) : source.slice();
      for (let n = random.below(4); n > 0 && bytes.length > 0; n--)
        bytes[random.below(bytes.length)] = random.next() & 0xff;
      const cut = random.below(3) === 0 ? bytes.slice(0, random.below(bytes.length + 1)) : bytes;
      const capture = readCapture(cut);
      if (capture.error && (capture.error.offset < 0 || capture.error.offset > cut.length))
        throw new Error(`error at ${capture.error.offset} of ${cut.length}`);
      for (const r of capture.records)
        if (r.data.length > cut.length) throw new Error('a packet larger than its file');
    });
  });

  it(
    'a diagnosis names packets of the capture and has no holes in its sentences',
    { timeout: longEnough },
    () => {
      shake((random) => {
        const start = random.below(samples.length - 200);
        const records = samples.slice(start, start + 200).map((r) => ({
          ...r,
          data: random.below(4) === 0 ? mutate(random, r.data) : r.data,
          ...(random.below(8) === 0 ? { direction: random.pick(['in', 'out'] as const) } : {}),
        }));
        for (let i = random.below(20); i > 0; i--) {
          const at = random.below(records.length);
          if (random.below(2) === 0) records.splice(at, 1);
          else records.splice(at, 0, random.pick(records));
        }
        const file = writePcapng([{ linkType: LinkType.ETHERNET }], records);
        if (random.below(3) === 0) file[random.below(file.length)] = random.next() & 0xff;
        // The ICRC is mostly not checked, so that packets with changed headers are followed.
        const diagnosis = diagnoseFile(file, { icrc: random.below(4) === 0 });
        for (const { text, why, cure, packets, total, connection } of diagnosis.findings) {
          if (/NaN|undefined|Infinity|-\d/.test(`${text.replace(/[\w-]+-\w+/g, '')} ${why} ${cure}`))
            throw new Error(`${text} ${why}`);
          if (packets.length > total || packets.some((n) => n < 1 || n > diagnosis.packets))
            throw new Error(`packets ${packets.join()} of ${total}, ${diagnosis.packets} in the file`);
          if (connection !== undefined) expect(diagnosis.connections[connection]).toBeDefined();
        }
      });
    },
  );

  it('fragments, tunnels in tunnels and pause frames take bounded work', { timeout: longEnough }, () => {
    const parts = [
      ...fragments4(ENCAPSULATIONS['raw IPv4']!.data),
      ...fragments6(ENCAPSULATIONS['raw IPv6']!.data),
    ];
    const isV6 = (data: Uint8Array): boolean => data[0]! >>> 4 === 6;
    shake((random) => {
      const packets = Array.from({ length: 40 }, () => {
        if (random.below(8) === 0) return mutate(random, PFC);
        let data: Uint8Array = random.pick(parts).slice();
        // Few identifications, so that fragments of different packets meet.
        data[isV6(data) ? 47 : 5] = random.below(3);
        if (random.below(4) === 0) data = mutate(random, data);
        const type = isV6(data) ? 0x86dd : 0x0800;
        if (type === 0x86dd && random.below(2) === 0) return inEthernet(type, inIpv6(41, data));
        if (type === 0x86dd) return inEthernet(type, data);
        for (let depth = random.below(4) === 0 ? random.below(40) : 0; depth > 0; depth--)
          data = random.pick(TUNNELS)(data);
        data = inEthernet(type, data);
        return random.below(4) === 0 ? mutate(random, data) : data;
      });
      const file = writePcapng(
        [{ linkType: LinkType.ETHERNET }],
        packets.map((data, i) => ({ timeNs: BigInt(i) * 1000n, data })),
      );
      const reassembler = new Reassembler();
      packets.forEach((data, i) => {
        const frame = locate(data, LinkType.ETHERNET);
        if (frame.fragment) reassembler.add(data, frame, { t: i, number: i + 1, original: data.length });
        expect(reassembler.pending).toBeLessThanOrEqual(MAX_PENDING);
        expect(decodePacket(data, LinkType.ETHERNET).layers.length).toBeLessThan(MAX_LAYERS);
      });
      const { wholes, diagnosis, columns } = indexCapture(file);
      expect(columns.length).toBe(packets.length);
      for (const { data, linkType, fragments } of wholes.values()) {
        expect(fragments).toBeGreaterThan(1);
        checkPacket(data, linkType, true);
      }
      for (const { text, why } of diagnosis.findings)
        if (/NaN|undefined|Infinity/.test(`${text} ${why}`)) throw new Error(`${text} ${why}`);
    });
  });

  it('models of mutated captures hold together', { timeout: longEnough }, () => {
    shake((random) => {
      const start = random.below(samples.length - 60);
      const records = samples.slice(start, start + 60).map((r) => ({ ...r, data: mutate(random, r.data) }));
      for (let i = random.below(4); i > 0; i--) records.splice(random.below(records.length), 1);
      const rows = packetRows(records);
      const analysis = analyze(rows);
      const ladder = ladderModel(analysis, { lanes: random.pick(['auto', 'host', 'qp'] as const) });
      expect(ladder.packets.length + ladder.skipped).toBe(rows.length);
      for (const p of ladder.packets) {
        expect(ladder.lanes[p.from]).toBeDefined();
        expect(ladder.lanes[p.to]).toBeDefined();
        if (p.message !== undefined) {
          const m = ladder.messages[p.message]!;
          expect(m.requests.includes(p.packet) || m.responses.includes(p.packet)).toBe(true);
        }
      }
      for (const s of psnTimeModel(analysis)) for (const v of s.psn) expect(Number.isFinite(v)).toBe(true);
      const summary = summarizeCapture(analysis);
      expect(Object.values(summary.kinds).reduce((a, b) => a + b, 0)).toBe(rows.length);
      if (random.below(8) !== 0) return;
      const file = decodeFile(writePcapng([{ linkType: LinkType.ETHERNET }], records));
      expect(JSON.parse(JSON.stringify(captureJson(file, { layers: true })))).toBeDefined();
    });
  });
});
