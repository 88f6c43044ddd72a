// The diagnosis of single packets: damage, marks, opcodes, sizes and times.
import { describe, expect, it } from 'vitest';
import {
  aeth,
  buildPacket,
  CNP_OPCODE,
  diagnoseFile,
  ieth,
  LinkType,
  RC,
  reth,
  writePcapng,
  xrceth,
} from '../src/index.js';
import { good, ids, one, retargeted, start, unusual } from './lib/diagnosis.js';
import { expectRight, KIB } from './lib/right.js';
import { ack, answer, cnp, diagnose, request, send, US, write, type Sent } from './lib/traffic.js';
import { Wire } from './lib/wire.js';

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

    const odd = start().request(0xc4, 104, 8);
    expect(unusual(odd.diagnose())).toEqual([]);
    expect(one(odd.diagnose(), 'unknown-opcode')).toMatchObject({ packets: [6], severity: 'note' });

    const contrary = start();
    last(contrary).data = last(contrary).data.slice();
    last(contrary).data[29]! |= 0x30;
    expect(one(contrary.diagnose(), 'malformed')).toMatchObject({ packets: [5] });

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

describe('opcodes', () => {
  it('of XRC are decoded, and answered like those of RC', () => {
    const srq = xrceth.bytes({ reserved: 0, srq: 0x55 });
    const region = reth.bytes({ va: 64n, rkey: 9, dmaLength: 8 });
    const msn = (n: number) => aeth.bytes({ syndrome: 0x1f, msn: n });
    const diagnosis = diagnose([
      request(0, { opcode: 0xa4, psn: 7, headers: [srq], payload: 8 }),
      answer(US, { opcode: 0xb1, psn: 7, headers: [msn(1)] }),
      request(2 * US, { opcode: 0xaa, psn: 8, headers: [srq, region], payload: 8 }),
      answer(3 * US, { opcode: 0xb1, psn: 8, headers: [msn(2)] }),
      request(4 * US, { opcode: 0xac, psn: 9, headers: [srq, region] }),
      answer(5 * US, { opcode: 0xb0, psn: 9, headers: [msn(3)], payload: 8 }),
    ]);
    expectRight(diagnosis, { found: [], good: 24, messages: 3 });
    expect(diagnosis.connections).toMatchObject([{ transport: 'XRC', matched: 'psn' }]);
  });

  it('of manufacturers are neither malformed nor missing', () => {
    const diagnosis = diagnose([
      send(0, 3),
      request(US, { opcode: 0xc4, psn: 4, payload: 16 }),
      request(2 * US, { opcode: 0xff, psn: 5, payload: 8 }),
      request(3 * US, {
        opcode: RC.sendOnlyInvalidate,
        psn: 6,
        headers: [ieth.bytes({ rkey: 0x99 })],
        payload: 4,
      }),
      ack(4 * US, 6, 4),
    ]);
    expectRight(diagnosis, { found: ['unknown-opcode'], good: 68, messages: 2 });
    expect(one(diagnosis, 'unknown-opcode')).toMatchObject({ packets: [2, 3], severity: 'note' });
  });
});

describe('congestion', () => {
  const marks = (answered: boolean) =>
    Array.from({ length: 200 }, (_, i) => [
      write(i * 10 * US, 100 + i, KIB, { ecn: i % 3 === 0 ? 3 : 2 }),
      ack(i * 10 * US + 5 * US, 100 + i, i + 1),
      ...(answered && i % 20 === 0 ? [cnp(i * 10 * US + 6 * US)] : []),
    ]).flat();

  it('without CNPs is said, and with them their rate', () => {
    const silent = one(diagnose(marks(false)), 'ecn');
    expect(silent.text).toContain('67 packets');
    expect(silent.text).toContain('no CNP answers them');
    const answered = diagnose(marks(true));
    expect(one(answered, 'ecn').why).toContain('10 CNPs. Marks: 6.7 per CNP.');
    expect(one(answered, 'cnp').text).toContain(
      '10 CNPs to 10.0.0.1 QP 0x000011 in 1.8 ms, 5,000 per second',
    );
  });

  it('of many senders to one host is one finding', () => {
    const sent = Array.from({ length: 40 }, (_, i) =>
      Array.from({ length: 64 }, (_, h): Sent[] => {
        const host = `10.1.0.${h + 1}`;
        const t = i * 10 * US + h * 100;
        return [
          write(t, i, KIB, { host, qp: 0x100 + h, ecn: i % 3 === 0 ? 3 : 2 }),
          ack(t + 4 * US, i, i + 1, 0x1f, { peer: host, qp: 0x200 + h }),
        ];
      }).flat(),
    ).flat();
    const diagnosis = diagnose(sent.sort((x, y) => x.t - y.t));
    expect(one(diagnosis, 'incast').text).toBe(
      '64 senders to 10.0.0.2, 35 % of their packets marked, together 53.8 Gb/s: incast.',
    );
    expect(diagnosis.findings.map(({ id }) => id)).not.toContain('ecn');
  });
});
