import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLASSES, diagnoseFile, LinkType, writePcapng } from '../src/index.js';
import { good, ids, one, retargeted, start, unusual } from './lib/diagnosis.js';
import { captureBytes } from './lib/testdata.js';
import { Wire } from './lib/wire.js';

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
