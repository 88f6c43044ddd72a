import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  buildPacket,
  CLASSES,
  CNP_OPCODE,
  diagnoseFile,
  LinkType,
  RC,
  readCapture,
  reth,
  writePcapng,
} from '../src/index.js';
import type { CaptureRecord, Diagnosis, Finding } from '../src/index.js';
import { captureBytes, capturePath } from './lib/testdata.js';
import { hasTshark, tshark } from './lib/tshark.js';
import { Wire } from './lib/wire.js';

const NAK = 0x60;
const RNR = 0x20;
const ids = ({ findings }: Diagnosis): string[] => findings.map(({ id }) => id);
const unusual = ({ findings }: Diagnosis): string[] =>
  findings.filter(({ severity }) => severity !== 'note').map(({ id }) => id);
const one = (diagnosis: Diagnosis, id: string): Finding => {
  const found = diagnosis.findings.filter((each) => each.id === id);
  expect(found, `${id} among ${ids(diagnosis).join(', ')}`).toHaveLength(1);
  return found[0]!;
};
/** A WRITE of four packets and its ACK. */
const good = (wire: Wire, psn: number): Wire => wire.write(psn, 4).response(RC.acknowledge, psn + 3);
const start = (): Wire => good(new Wire(), 100);

describe('a clean connection', () => {
  it('has nothing unusual, and its figures are right', () => {
    const wire = start();
    for (let psn = 104; psn < 144; psn += 4) good(wire, psn);
    const diagnosis = wire.diagnose();
    expect(unusual(diagnosis)).toEqual([]);
    expect(ids(diagnosis)).toEqual(['goodput', 'mtu']);
    expect(diagnosis.connections).toMatchObject([
      {
        ends: [
          { ip: '10.0.0.1', qpn: 0x11 },
          { ip: '10.0.0.2', qpn: 0x22 },
        ],
        transport: 'RC',
        matched: 'psn',
        mtu: 1024,
        firstPacket: 1,
        lastPacket: 55,
      },
    ]);
    const [there, back] = diagnosis.connections[0]!.from;
    expect(there).toMatchObject({ packets: 44, goodBytes: 44 * 1024, payloadBytes: 44 * 1024 });
    // From the first packet to the last with payload: 44 packets and 10 ACKs, a microsecond apart.
    expect(there!.gbps).toBeCloseTo((44 * 1024 * 8) / 53_000, 6);
    expect(back).toMatchObject({ packets: 11, goodBytes: 0, gbps: null, headerShare: null });
  });

  it('says what was checked', () => {
    expect(start().diagnose().checked).toHaveLength(CLASSES.length);
    expect(new Set(CLASSES.map(({ id }) => id)).size).toBe(CLASSES.length);
  });
});

describe('retransmissions', () => {
  it('after a NAK: the tail is told from what was asked for, and the place of the loss from the capture', () => {
    // 105 is lost before the capture; 106 and 107 go again behind it.
    const before = good(
      start()
        .write(104, 4, (k) => k !== 1)
        .response(RC.acknowledge, 105, NAK),
      105,
    );
    const found = one(before.diagnose(), 'retransmission-nak');
    expect(found).toMatchObject({ packets: [10], total: 1, connection: 0, severity: 'warning' });
    expect(found.text).toContain(
      'went back once because of a sequence NAK: 3 packets were sent again, 2 of them',
    );
    expect(found.text).toContain('the capture held 2 of these already');
    expect(found.why).toContain('does not hold the packet from before');
    expect(one(before.diagnose(), 'nak-sequence')).toMatchObject({ packets: [9], total: 1 });
    expect(one(before.diagnose(), 'gap-lost')).toMatchObject({ packets: [7], total: 1 });

    const after = good(start().write(104, 4).response(RC.acknowledge, 105, NAK), 105);
    expect(one(after.diagnose(), 'retransmission-nak').why).toContain(
      'it was lost, overtaken or dropped after the place of capture',
    );
    expect(ids(after.diagnose())).not.toContain('gap-lost');
  });

  it('after a timeout: silence, its length, and no NAK', () => {
    const wire = start().write(104, 4).wait(67_000_000).write(104, 4).response(RC.acknowledge, 107);
    const diagnosis = wire.diagnose();
    const found = one(diagnosis, 'retransmission-timeout');
    expect(found).toMatchObject({ packets: [10], total: 1 });
    expect(found.text).toMatch(/ran into a timeout once and waited 67 ms in all, 67 ms at most: 4 packets/);
    expect(found.why).toContain('No NAK in the capture asked for it');
    expect(unusual(diagnosis)).toEqual(['retransmission-timeout']);
  });

  it('after a timeout although a NAK had asked', () => {
    const wire = start()
      .write(104, 4)
      .response(RC.acknowledge, 104, NAK)
      .wait(67_000_000)
      .write(104, 4)
      .response(RC.acknowledge, 107);
    expect(one(wire.diagnose(), 'retransmission-timeout').why).toContain(
      'A NAK in the capture had asked for it',
    );
  });

  it('of what the capture shows as acknowledged: a lost ACK', () => {
    const wire = good(start().write(104, 4).response(RC.acknowledge, 107).wait(67_000_000), 104);
    const diagnosis = wire.diagnose();
    expect(one(diagnosis, 'retransmission-lost-ack')).toMatchObject({ packets: [11], total: 1 });
    expect(unusual(diagnosis)).toEqual(['retransmission-lost-ack']);
  });

  it('where no answers were captured: no cause is claimed', () => {
    const wire = new Wire().write(100, 4).wait(67_000_000).write(100, 4);
    const diagnosis = wire.diagnose();
    expect(one(diagnosis, 'retransmission-one-way').why).toContain('cannot tell a NAK from a timeout');
    expect(ids(diagnosis)).toEqual(['retransmission-one-way', 'mtu', 'unmatched']);
    expect(diagnosis.connections[0]).toMatchObject({
      matched: 'no',
      ends: [{ ip: '10.0.0.1' }, { qpn: 0x22 }],
    });
  });

  it('without silence or NAK: no timeout is claimed', () => {
    const wire = good(
      start()
        .write(104, 4, (k) => k !== 1)
        .write(105, 2),
      107,
    );
    expect(unusual(wire.diagnose())).toContain('retransmission-unexplained');
    expect(unusual(wire.diagnose())).not.toContain('retransmission-timeout');
  });
});

describe('order and copies', () => {
  it('a packet that comes late without being asked for is reordering', () => {
    const wire = start();
    wire.write(104, 4, (k) => k !== 1 && k !== 3);
    wire.write(104, 4, (k) => k === 1).write(104, 4, (k) => k === 3);
    good(wire.response(RC.acknowledge, 107), 108);
    const diagnosis = wire.diagnose();
    expect(one(diagnosis, 'reordered')).toMatchObject({ packets: [8], total: 1 });
    expect(unusual(diagnosis)).toEqual(['reordered']);
  });

  it('a late packet that a NAK crossed is reordering if the NAK is answered later', () => {
    const wire = start().write(104, 4, (k) => k !== 1 && k !== 3);
    wire
      .response(RC.acknowledge, 105, NAK)
      .write(104, 4, (k) => k === 1)
      .write(104, 4, (k) => k === 3);
    wire.write(104, 4, (k) => k > 0).response(RC.acknowledge, 107);
    const diagnosis = wire.diagnose();
    expect(one(diagnosis, 'reordered')).toMatchObject({ packets: [9], total: 1 });
    expect(one(diagnosis, 'retransmission-nak')).toMatchObject({ packets: [11], total: 1 });
  });

  it('a packet twice in a row is a duplicate, and most packets twice are the capture', () => {
    const wire = start()
      .write(104, 4)
      .write(104, 4, (k) => k === 3);
    for (let psn = 108; psn < 140; psn += 4) good(wire, psn);
    const some = wire.diagnose();
    expect(one(some, 'duplicated')).toMatchObject({ packets: [10], total: 1, severity: 'warning' });
    expect(unusual(some)).toEqual(['duplicated']);

    const twice = start();
    twice.records.splice(0, twice.records.length, ...twice.records.flatMap((r) => [r, r]));
    const all = twice.diagnose();
    expect(one(all, 'duplicated')).toMatchObject({ total: 4, severity: 'note' });
    expect(unusual(all)).toEqual([]);
  });

  it('a packet captured as it leaves and as it arrives counts once', () => {
    const wire = start();
    const records = wire.records.flatMap((r) => [
      { ...r, direction: 'out' as const },
      { ...r, direction: 'in' as const },
    ]);
    const diagnosis = diagnoseFile(writePcapng([{ linkType: LinkType.RAW }], records));
    expect(one(diagnosis, 'both-ends').total).toBe(5);
    expect(unusual(diagnosis)).toEqual([]);
    expect(diagnosis.connections[0]!.from[0]).toMatchObject({ packets: 4, goodBytes: 4096 });
  });
});

describe('gaps', () => {
  it('that the receiver acknowledges are the capture’s', () => {
    const wire = start()
      .write(104, 4, (k) => k !== 1)
      .response(RC.acknowledge, 107);
    const diagnosis = wire.diagnose();
    expect(one(diagnosis, 'gap-uncaptured')).toMatchObject({ packets: [7], severity: 'note' });
    expect(unusual(diagnosis)).toEqual([]);
  });

  it('of which nothing more is known are left open', () => {
    const diagnosis = start()
      .write(104, 4, (k) => k !== 1)
      .diagnose();
    expect(one(diagnosis, 'gap-open')).toMatchObject({ packets: [7], severity: 'note' });
  });

  it('at the end show by the ACK', () => {
    const diagnosis = start().write(104, 4).uncaptured(2).response(RC.acknowledge, 107).diagnose();
    expect(one(diagnosis, 'ack-of-unseen')).toMatchObject({ packets: [8] });
    expect(one(diagnosis, 'ack-of-unseen').text).toContain('acknowledged 2 packets');
  });

  it('in the response to a READ', () => {
    const read = (wire: Wire, psn: number) =>
      wire.request(RC.readRequest, psn, 0, [reth.bytes({ va: 0n, rkey: 1, dmaLength: 3072 })]);
    const respond = (wire: Wire, psn: number, only = (_k: number) => true) => {
      [RC.readResponseFirst, RC.readResponseMiddle, RC.readResponseLast].forEach((opcode, k) => {
        if (only(k)) wire.response(opcode, psn + k, 0x1f, 1024);
      });
      return wire;
    };
    const clean = respond(read(respond(read(start(), 104), 104), 107), 107);
    expect(unusual(clean.diagnose())).toEqual([]);
    const gap = respond(read(respond(read(start(), 104), 104), 107), 107, (k) => k !== 1);
    expect(one(gap.diagnose(), 'read-response-gap')).toMatchObject({ packets: [12], total: 1 });
    const again = respond(read(clean.wait(67_000_000), 107), 107);
    expect(one(again.diagnose(), 'read-response-repeated').total).toBe(3);
    expect(one(again.diagnose(), 'retransmission-lost-ack').total).toBe(1);
  });
});

describe('answers', () => {
  it.each([
    [1, 'nak-invalid-request'],
    [2, 'nak-remote-access'],
    [3, 'nak-remote-operational'],
    [4, 'nak-invalid-rd'],
    [9, 'nak-reserved'],
  ])('NAK %i is %s', (code, id) => {
    const found = one(
      start()
        .write(104, 1)
        .response(RC.acknowledge, 104, NAK | code)
        .diagnose(),
      id,
    );
    expect(found).toMatchObject({ severity: 'error', packets: [7], total: 1 });
    expect(found.cure).not.toBe('');
  });

  it('RNR NAKs: one is no storm, three are, and the time that they cost is counted', () => {
    const once = good(
      start()
        .write(104, 4)
        .response(RC.acknowledge, 104, RNR | 1)
        .wait(10_000),
      104,
    );
    const single = one(once.diagnose(), 'rnr');
    expect(single).toMatchObject({ packets: [10], total: 1 });
    expect(single.text).not.toContain('storm');

    const wire = start().write(104, 4);
    for (let i = 0; i < 5; i++)
      wire
        .response(RC.acknowledge, 104, RNR | 1)
        .wait(100_000)
        .write(104, 4);
    const storm = one(wire.response(RC.acknowledge, 107).diagnose(), 'rnr');
    expect(storm.text).toMatch(/1 request of .*: 5 RNR NAKs, in 1 storm of 3 or more .* 5 in 52\d µs/);
    expect(storm.total).toBe(5);
    expect(storm.why).toContain('20 packets were sent again because of them');
    expect(ids(wire.diagnose())).not.toContain('retransmission-timeout');

    const never = start()
      .write(104, 1)
      .response(RC.acknowledge, 104, RNR | 1);
    expect(one(never.diagnose(), 'rnr').why).toContain(
      'does not show that the last refused request was accepted',
    );
  });

  it('a request without an answer is a warning only if the capture goes on', () => {
    expect(one(start().write(104, 4).diagnose(), 'unanswered')).toMatchObject({
      severity: 'note',
      packets: [9],
    });
    const wire = start().write(104, 4).wait(500_000_000);
    wire.records.push({
      ...wire.records[0]!,
      timeNs: wire.records.at(-1)!.timeNs + 500_000_000n,
      data: new Uint8Array(60),
    });
    expect(one(wire.diagnose(), 'unanswered')).toMatchObject({ severity: 'warning' });
  });
});

describe('packets', () => {
  const last = (wire: Wire) => wire.records.at(-1)!;

  it('with a wrong ICRC, cut, malformed, marked, and notifications', () => {
    const wire = start();
    expect(unusual(wire.diagnose())).toEqual([]);
    good(wire, 104);
    wire.records[5]!.data[60]! ^= 1;
    expect(one(wire.diagnose(), 'icrc')).toMatchObject({ packets: [6], severity: 'error' });

    const cut = start();
    cut.records[1] = { ...cut.records[1]!, data: cut.records[1]!.data.subarray(0, 100) };
    const sliced = diagnoseFile(
      writePcapng(
        [{ linkType: LinkType.RAW }],
        cut.records.map((r, i) => ({ ...r, originalLength: i === 1 ? 1068 : r.data.length })),
      ),
    );
    expect(one(sliced, 'cut')).toMatchObject({ packets: [2], severity: 'note' });
    expect(unusual(sliced)).toEqual([]);

    const odd = start();
    last(odd).data = last(odd).data.slice();
    last(odd).data[28] = 0x1f;
    expect(one(odd.diagnose(), 'malformed')).toMatchObject({ packets: [5] });

    const marked = start().request(RC.writeOnly, 104, 8, [reth.bytes({ va: 0n, rkey: 1, dmaLength: 8 })], 3);
    expect(one(marked.response(RC.acknowledge, 104).diagnose(), 'ecn')).toMatchObject({ packets: [6] });

    const notified = start();
    const data = buildPacket({
      src: '10.0.0.2',
      dst: '10.0.0.1',
      bth: { opcode: CNP_OPCODE, destQp: 0x11, psn: 0 },
      payload: new Uint8Array(16),
    });
    notified.records.push({ ...last(notified), data });
    expect(one(notified.diagnose(), 'cnp')).toMatchObject({ packets: [6] });
    expect(one(notified.diagnose(), 'cnp').text).toBe(
      '10.0.0.2 QP 0x000022 sent 1 CNP to 10.0.0.1 QP 0x000011.',
    );
  });

  it('of several sizes in one connection, and of a smaller size than another connection', () => {
    const wire = start();
    wire.request(RC.sendFirst, 104, 512).request(RC.sendLast, 105, 1).response(RC.acknowledge, 105);
    expect(one(wire.diagnose(), 'mtu-mixed')).toMatchObject({ packets: [6], total: 1 });

    const two = start();
    const small = new Wire('10.0.0.1', '10.0.0.2', 256).write(9_000_000, 4);
    for (const { data } of small.records) two.records.push({ ...last(two), data: retargeted(data) });
    expect(one(two.diagnose(), 'mtu-below-path').text).toContain('sends 256 bytes per packet');
    expect(ids(start().diagnose())).not.toContain('mtu-below-path');
  });

  it('in the wrong order of times', () => {
    const wire = start();
    wire.records[2]!.timeNs -= 1_000_000n;
    expect(one(wire.diagnose(), 'time-order')).toMatchObject({ packets: [3] });
  });
});

/** To another QP. The ICRC is not right any more, so it is cut off. */
function retargeted(data: Uint8Array): Uint8Array {
  const { src, dst } = { src: '10.0.0.1', dst: '10.0.0.2' };
  const bth = data.subarray(28);
  const psn = (bth[9]! << 16) | (bth[10]! << 8) | bth[11]!;
  const first = bth[0] === RC.writeFirst;
  return buildPacket({
    src,
    dst,
    bth: { opcode: bth[0]!, destQp: 0x33, psn },
    headers: first ? [reth.bytes({ va: 0n, rkey: 1, dmaLength: 1024 })] : [],
    payload: new Uint8Array(256),
  });
}

describe('the captures of the kernel', () => {
  it('without faults: nothing unusual', () => {
    const diagnosis = diagnoseFile(captureBytes('rxe-verbs-and-cm.pcap'));
    expect(unusual(diagnosis)).toEqual([]);
    expect(one(diagnosis, 'not-roce').total).toBe(237);
  });

  it.runIf(hasTshark)('with loss: the figures are tshark’s', () => {
    const path = capturePath('rxe-write-8pc-loss.pcap');
    const numbers = (filter: string): number[] =>
      tshark('-r', path, '-Y', filter, '-T', 'fields', '-e', 'frame.number').trim().split('\n').map(Number);
    const diagnosis = diagnoseFile(captureBytes('rxe-write-8pc-loss.pcap'));
    const naks = numbers('infiniband.aeth.syndrome.opcode == 3');
    expect(one(diagnosis, 'nak-sequence')).toMatchObject({ packets: naks, total: naks.length });
    // Requests whose PSN is not beyond all before it.
    const psns = tshark(
      '-r',
      path,
      '-Y',
      'infiniband.bth.opcode < 0x0b',
      '-T',
      'fields',
      '-e',
      'infiniband.bth.psn',
    );
    let highest = -1;
    let back = 0;
    for (const psn of psns.trim().split('\n').map(Number)) {
      if (psn <= highest) back++;
      highest = Math.max(highest, psn);
    }
    const [there] = diagnosis.connections[0]!.from;
    expect(there!.retransmissions).toBe(back);
    expect(ids(diagnosis)).toEqual([
      'nak-sequence',
      'retransmission-nak',
      'retransmission-timeout',
      'gap-lost',
      'gap-resent',
      'gap-open',
      'unanswered',
      'goodput',
      'mtu',
    ]);
    // In front of both timeouts, nothing is on the wire for 68 ms.
    const delta = (n: number): number =>
      Number(tshark('-r', path, '-Y', `frame.number == ${n}`, '-T', 'fields', '-e', 'frame.time_delta'));
    for (const n of one(diagnosis, 'retransmission-timeout').packets) expect(delta(n)).toBeGreaterThan(0.06);
  });

  const records = readCapture(captureBytes('rxe-verbs-and-cm.pcap')).records;
  const without = (drop: (r: CaptureRecord) => boolean) =>
    diagnoseFile(
      writePcapng(
        [{ linkType: LinkType.ETHERNET }],
        records.filter((r) => !drop(r)),
      ),
    );
  const attribute = (r: CaptureRecord): number =>
    r.data.length > 300 && r.data[42] === 0x64 && r.data[63] === 0x07 ? (r.data[78]! << 8) | r.data[79]! : -1;

  it('connection management: what is taken out is missed', () => {
    expect(records.filter((r) => attribute(r) === 0x10)).toHaveLength(4);
    expect(
      one(
        without((r) => attribute(r) === 0x15),
        'no-disconnect',
      ).total,
    ).toBe(4);
    expect(
      one(
        without((r) => attribute(r) === 0x13),
        'cm-unanswered',
      ).total,
    ).toBe(4);
    const again = records.flatMap((r) => (attribute(r) === 0x10 ? [r, r] : [r]));
    const repeated = diagnoseFile(writePcapng([{ linkType: LinkType.ETHERNET }], again));
    expect(one(repeated, 'cm-repeated').total).toBe(4);
    const rejected = records.map((r) => {
      if (attribute(r) !== 0x13) return r;
      const data = r.data.slice();
      data[79] = 0x12;
      data.set([0, 8], 42 + 12 + 8 + 24 + 10);
      return { ...r, data };
    });
    // The bytes were changed, so the ICRC has to go.
    const cut = rejected.map((r) => ({
      ...r,
      originalLength: r.data.length,
      data: r.data.subarray(0, r.data.length - 4),
    }));
    const refused = diagnoseFile(writePcapng([{ linkType: LinkType.ETHERNET }], cut));
    expect(one(refused, 'cm-refused').text).toContain('4 ConnectRejects: Invalid service ID');
  });
});

describe('a damaged file', () => {
  it('is diagnosed up to the damage, which is named', () => {
    const bytes = captureBytes('rxe-write-8pc-loss.pcap').subarray(0, 500_000);
    const diagnosis = diagnoseFile(bytes);
    expect(diagnosis.error!.message).toContain('the file ends inside packet');
    expect(diagnosis.error!.offset).toBeLessThan(500_000);
    expect(diagnosis.packets).toBeGreaterThan(400);
    expect(ids(diagnosis)).toContain('retransmission-nak');
  });
});

describe('a flow that fits two others', () => {
  it('is matched only when its answers tell them apart', () => {
    // Two QPs whose PSNs begin alike: the answers fit both.
    const same = start();
    const other = new Wire().write(100, 4);
    const merged = [...other.records.map((r) => ({ ...r, data: retargeted(r.data) })), ...same.records];
    const diagnosis = diagnoseFile(writePcapng([{ linkType: LinkType.RAW }], merged));
    expect(diagnosis.connections.every(({ matched }) => matched === 'no')).toBe(true);
    expect(one(diagnosis, 'unmatched').total).toBe(3);
  });
});

describe('docs/diagnosis.md', () => {
  it('has the rule of every class', () => {
    const text = readFileSync(new URL('../../../docs/diagnosis.md', import.meta.url), 'utf8');
    const described = [...text.matchAll(/^\| `([\w-]+)`/gm)].map((m) => m[1]!);
    expect(described.sort()).toEqual(CLASSES.map(({ id }) => id).sort());
  });
});
