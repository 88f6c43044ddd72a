// Captures as programs and hosts leave them, and traffic of several connections: the findings of each, and no others.
import { describe, expect, it } from 'vitest';
import {
  buildPacket,
  computeIcrc,
  decodePacket,
  deth,
  diagnoseFile,
  LinkType,
  RC,
  writePcap,
  writePcapng,
} from '../src/index.js';
import { one } from './lib/diagnosis.js';
import { inEthernet } from './lib/encapsulations.js';
import { expectRight, KIB } from './lib/right.js';
import {
  ack,
  diagnose,
  fileOf,
  MS,
  psnOf,
  readRequest,
  readResponses,
  request,
  S,
  send,
  US,
  write,
  writes,
  type Sent,
} from './lib/traffic.js';

const joined = (...parts: (Uint8Array | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
const words = (...values: number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer);
const sections = writePcapng([{ linkType: LinkType.RAW }], []);

/** Sets the ICRC that the sender computes. */
function sealed(ip: Uint8Array): Uint8Array {
  const end = ip.length - 4;
  new DataView(ip.buffer).setUint32(end, computeIcrc(ip, 0, (ip[0]! & 15) * 4 + 8, end));
  return inEthernet(0x800, ip);
}

/** The packets, changed, behind an Ethernet header. */
const framed = (
  sent: readonly Sent[],
  change: (ip: Uint8Array) => Uint8Array = (ip) => inEthernet(0x800, ip),
  keep = Infinity,
): Uint8Array =>
  writePcap(
    LinkType.ETHERNET,
    sent.map(({ t, data }) => {
      const frame = change(data);
      return { timeNs: BigInt(S + t), data: frame.subarray(0, keep), originalLength: frame.length };
    }),
  );

describe('a file that', () => {
  const [first] = writes();
  const whole = fileOf([first!]);
  const classic = writePcap(LinkType.RAW, [{ timeNs: BigInt(S), data: first!.data }]);

  it.each<[string, Uint8Array, string]>([
    [
      'names a block of 2 GiB',
      joined(whole, words(6, 0x7ffffffc), new Uint8Array(64)),
      'ends inside a block',
    ],
    ['names a block of no bytes', joined(whole, words(6, 0), new Uint8Array(64)), 'block length 0'],
    ['names a block of 61 bytes', joined(whole, words(6, 61), new Uint8Array(64)), 'block length 61'],
    [
      'names a packet of 2 GiB in a small block',
      joined(whole, words(6, 96, 0, 0, 0, 0x7fffffff, 0x7fffffff), new Uint8Array(64), words(96)),
      'a packet of 2147483647 bytes does not fit',
    ],
    [
      'names a packet of 2 GiB',
      joined(classic, words(2, 0, 0x7fffffff, 0x7fffffff), new Uint8Array(64)),
      'packet 2 claims 2147483647 bytes',
    ],
    [
      'names a packet of 4 GiB',
      joined(classic, words(2, 0, 0xffffffff, 0xffffffff), new Uint8Array(64)),
      'packet 2 claims 4294967295 bytes',
    ],
  ])('%s is diagnosed up to there', (_name, file, message) => {
    const diagnosis = diagnoseFile(file);
    expect(diagnosis.error?.message).toContain(message);
    expectRight(diagnosis, { found: [], good: KIB });
  });

  it('holds no packet, or none of an interface, gets no verdict', () => {
    const heads = sections.subarray(0, new DataView(sections.buffer).getUint32(4, true));
    expect(diagnoseFile(heads).unchecked?.text).toBe('The file holds no packet: nothing was diagnosed.');
    expect(diagnoseFile(classic.subarray(0, 20)).unchecked?.why).toContain('20 of 24 bytes');
    const noInterface = joined(heads, fileOf([first!]).subarray(fileOf([]).length));
    expect(diagnoseFile(noInterface).unchecked?.why).toContain(
      'interface 0, which the file does not describe',
    );
  });
});

describe('packets', () => {
  it('with options in the IP header are read, and their ICRC with them', () => {
    const optioned = (ip: Uint8Array): Uint8Array => {
      const { length } = ip;
      const out = joined(ip.subarray(0, 20), [0x94, 4, 0, 0], ip.subarray(20));
      out[0] = 0x46;
      new DataView(out.buffer).setUint16(2, length + 4);
      return sealed(out);
    };
    const diagnosis = diagnoseFile(framed(writes({ packets: 12 }), optioned));
    expectRight(diagnosis, { found: [], good: 12 * KIB, messages: 3 });
    expect(diagnosis.counts).toMatchObject({ icrcBad: 0, icrcUnchecked: 0 });
  });

  it('on another UDP port are read where the port is named', () => {
    const moved = (ip: Uint8Array): Uint8Array => {
      const out = ip.slice();
      new DataView(out.buffer).setUint16(22, 4792);
      return sealed(out);
    };
    const file = framed(writes({ packets: 12 }), moved);
    expect(diagnoseFile(file).unchecked?.why).toContain('--port');
    expectRight(diagnoseFile(file, { ports: [4792] }), { found: [], good: 12 * KIB, messages: 3 });
  });

  it('with a VLAN tag, cut at 80 bytes, tell a loss', () => {
    const tagged = (ip: Uint8Array) => inEthernet(0x8100, joined([0x60, 100, 8, 0], ip));
    const diagnosis = diagnoseFile(framed(writes({ packets: 400, lose: [101] }), tagged, 80));
    expectRight(diagnosis, {
      found: ['nak-sequence', 'retransmission-nak', 'gap-lost'],
      good: 400 * KIB,
      missing: 1,
      resent: 7,
      messages: 100,
    });
  });

  it('cut at 64 bytes tell five losses in 4,000', () => {
    const diagnosis = diagnose(writes({ packets: 4000, lose: [401, 1202, 1999, 2803, 3606] }), 64);
    expectRight(diagnosis, {
      found: ['nak-sequence', 'retransmission-nak', 'gap-lost'],
      good: 4000 * KIB,
      missing: 5,
      resent: 35,
      messages: 1000,
    });
    expect(one(diagnosis, 'retransmission-nak').total).toBe(5);
  });
});

it('a packet of a manufacturer is listed as another one, not as malformed', () => {
  const kind = (opcode: number, payload: number): string =>
    decodePacket(request(0, { opcode, psn: 1, payload }).data, LinkType.RAW).summary.kind;
  expect([0xc4, 0xff, 0x18].map((opcode) => kind(opcode, 16))).toEqual(['other', 'other', 'other']);
  // A WRITE without its RETH is malformed.
  expect(kind(RC.writeOnly, 0)).toBe('malformed');
});

it.each([
  [900, []],
  [12_400, ['disconnect-late']],
])('a DisconnectReply that comes after %i ms', (ms, found) => {
  const message = (t: number, src: string, dst: string, attribute: number, ids: number[]): Sent => {
    const payload = new Uint8Array(256);
    const view = new DataView(payload.buffer);
    view.setUint8(1, 7);
    view.setUint16(16, attribute);
    ids.forEach((id, i) => view.setUint32(24 + 4 * i, id));
    const headers = [deth.bytes({ qkey: 0x80010000, reserved: 0, srcQp: 1 })];
    const bth = { opcode: 0x64, destQp: 1, psn: t & 0xff };
    return { t, by: 'a', data: buildPacket({ src, dst, bth, headers, payload }) };
  };
  const diagnosis = diagnose([
    message(0, '10.0.0.1', '10.0.0.2', 0x15, [0x111, 0x222]),
    message(ms * MS, '10.0.0.2', '10.0.0.1', 0x16, [0x222, 0x111]),
  ]);
  expect(diagnosis.findings.filter(({ id }) => id.includes('disconnect')).map(({ id }) => id)).toEqual(found);
  if (found.length > 0) expect(one(diagnosis, 'disconnect-late').text).toContain('12.4 s');
});

describe('traffic', () => {
  it('to a peer that is gone ends in timeouts', () => {
    const sent = writes({ packets: 20 });
    let { t } = sent.at(-1)!;
    for (let i = 0; i < 8; i++) sent.push(send((t += 67 * MS), 120));
    sent.push(write(t + 2 * S, 1, 4, { qp: 0x99 }));
    const diagnosis = diagnose(sent);
    expectRight(diagnosis, {
      found: ['retransmission-timeout', 'unanswered'],
      good: 20 * KIB + 68,
      resent: 7,
    });
    expect(one(diagnosis, 'retransmission-timeout').text).toContain(
      '7 times and waited 469 ms in all, 67 ms at most',
    );
  });

  it('whose packets overtake each other without a NAK is reordered', () => {
    const sent = writes();
    const places = sent.flatMap(({ by }, i) => (by === 'a' ? [i] : []));
    for (let k = 4; k < places.length - 2; k += 8) {
      const [i, j] = [places[k]!, places[k + 1]!];
      const [a, b] = [sent[i]!, sent[j]!];
      [sent[i], sent[j]] = [
        { ...b, t: a.t },
        { ...a, t: b.t },
      ];
    }
    const diagnosis = diagnose(sent);
    expect(one(diagnosis, 'reordered').total).toBe(5);
    expect(diagnosis.counts.naks).toBe(0);
    expect(diagnosis.connections[0]!.from[0]).toMatchObject({ missing: 0, retransmissions: 0 });
  });

  it('that loses two packets of one window, one named by a NAK', () => {
    const sent = writes({ packets: 80, lose: [21] });
    const again = sent.findLastIndex((each) => each.by === 'a' && psnOf(each) === 124);
    const second = sent.findIndex((each) => each.by === 'a' && psnOf(each) === 124);
    expect(second).toBeLessThan(again);
    expectRight(diagnose(sent.toSpliced(second, 1)), {
      found: ['nak-sequence', 'retransmission-nak', 'gap-lost', 'gap-resent'],
      good: 80 * KIB,
      missing: 2,
      resent: 7,
      messages: 20,
    });
  });

  it('of two clients with the same QP number keeps them apart', () => {
    const sent = ['10.0.0.3', '10.0.0.4'].flatMap((host, h) =>
      Array.from({ length: 40 }, (_, i): Sent[] => {
        const t = i * 10 * US + h * US;
        return [
          write(t, 500 + i, 64, { host, qp: 0x31 + h }),
          ack(t + 4 * US, 500 + i, i + 1, 0x1f, { peer: host, qp: 0x11 }),
        ];
      }).flat(),
    );
    const diagnosis = diagnose(sent.sort((x, y) => x.t - y.t));
    expectRight(diagnosis, { found: [], good: 80 * 64, messages: 80 });
    expect(diagnosis.connections.map(({ matched }) => matched)).toEqual(['psn', 'psn']);
  });

  it('of READs one after another has nothing to find, however slow', () => {
    const sent = Array.from({ length: 20 }, (_, k): Sent[] => [
      readRequest(k * MS, 4 * k, 0, 4),
      ...readResponses(k * MS + 900 * US, 4 * k, 0, 4, () => true),
    ]).flat();
    expectRight(diagnose(sent), { found: [], good: 80 * KIB, messages: 20 });
  });

  it('of READs of one packet, each fifth asked for again after a timeout', () => {
    let t = 0;
    const sent = Array.from({ length: 20 }, (_, k): Sent[] => {
      const ask = [readRequest(t, k, 0, 1)];
      if (k % 5 === 4) ask.push(readRequest((t += 67 * MS), k, 0, 1));
      t += 20 * US;
      return [...ask, ...readResponses(t - 15 * US, k, 0, 1, () => true)];
    }).flat();
    const diagnosis = diagnose(sent);
    expectRight(diagnosis, { found: ['retransmission-timeout'], good: 20 * KIB, resent: 4, messages: 20 });
    expect(one(diagnosis, 'retransmission-timeout').text).toContain('4 times and waited 268 ms');
  });

  it('of two path MTUs between the same hosts names the smaller one', () => {
    const large = Array.from({ length: 10 }, (_, k): Sent[] => {
      const t = k * 20 * US + 500;
      const payload = 4 * KIB;
      return [
        request(t, { opcode: RC.sendFirst, psn: 5000 + 2 * k, qp: 0x33, payload }),
        request(t + US, { opcode: RC.sendLast, psn: 5001 + 2 * k, qp: 0x33, payload, ackReq: true }),
        ack(t + 5 * US, 5001 + 2 * k, k + 1, 0x1f, { qp: 0x44 }),
      ];
    }).flat();
    const diagnosis = diagnose([...writes(), ...large].sort((x, y) => x.t - y.t));
    expectRight(diagnosis, { found: ['mtu-below-path'], good: 120 * KIB, messages: 20 });
  });
});
