// The diagnosis of traffic from the kernel's device.
import { describe, expect, it } from 'vitest';
import { diagnoseFile, LinkType, readCapture, writePcapng, type CaptureRecord } from '../src/index.js';
import { ids, one, unusual } from './lib/diagnosis.js';
import { captureBytes, capturePath } from './lib/testdata.js';
import { hasTshark, tshark } from './lib/tshark.js';

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
    // Requests whose PSN is not beyond all earlier ones.
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
    // Nothing is on the wire for 68 ms before both timeouts.
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

  it('with loss: each NAK counts, wherever the capture begins', () => {
    const { records } = readCapture(captureBytes('rxe-write-8pc-loss.pcap'));
    for (let from = 0; from < records.length; from += 7) {
      const file = writePcapng([{ linkType: LinkType.ETHERNET }], records.slice(from));
      const { findings, counts, connections } = diagnoseFile(file);
      // Near the end, no flow is left that the NAKs answer.
      const matched = connections.some(({ from: [a, b] }) => a && b);
      const found = findings.find(({ id }) => id === 'nak-sequence')?.total ?? 0;
      expect(found, `from packet ${from + 1}`).toBe(matched ? counts.naks : 0);
    }
  });

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
