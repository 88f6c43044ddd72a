import { captureStreams, decodeFile, indexCapture, opcodeInfo, PSN_MODULUS } from '@verbslab/roce';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { flowNames } from '../src/model/flow-names';
import { WholeFile } from '../src/parts/packets/file-bytes';
import { detailText, inkOf, operationText, psnText } from '../src/parts/packets/list-columns';
import { packetsOf } from './packets-of';

const captured = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../testdata/${name}`, import.meta.url)));

describe('the columns of a packet', () => {
  const { packets } = decodeFile(captured('rxe-verbs-and-cm.pcap'));
  const named = (kind: string) => packets.find((row) => row.kind === kind)!;

  it('name the operation once, and keep the rest of the text', () => {
    expect(operationText(named('write'))).toMatch(/^WRITE (First|Middle|Last|Only)/);
    expect(operationText(named('ack'))).toBe('ACK');
    expect(operationText(named('cm'))).toMatch(/^Connect|^Ready|^Disconnect|^ServiceID/);
    expect(packets.map(operationText)).toEqual(
      expect.arrayContaining(['UD SEND Only', 'UC SEND First', 'TCP']),
    );
    for (const row of packets) {
      const detail = detailText(row);
      expect(row.info.endsWith(detail)).toBe(true);
      if (row.opcode !== undefined && row.kind !== 'cm') expect(detail).not.toMatch(/\b(QP|PSN)=.*PSN=/);
    }
    expect(detailText(named('ack'))).toMatch(/^MSN=\d+/);
  });

  it('show a PSN relative, raw where that is wanted or nothing else is known', () => {
    expect(psnText({ psn: 700 }, 45, 'relative')).toBe('+45');
    expect(psnText({ psn: 700 }, 0, 'relative')).toBe('+0');
    expect(psnText({ psn: 700 }, -3, 'relative')).toBe('-3');
    expect(psnText({ psn: 700 }, 45, 'raw')).toBe('700');
    expect(psnText({ psn: 700 }, null, 'relative')).toBe('700');
    expect(psnText({}, null, 'relative')).toBe('');
  });

  it('have the colors of their meaning', () => {
    expect(inkOf('nak', ['nak'])).toEqual({ row: 'text-nak-ink', operation: 'text-nak-ink' });
    expect(inkOf('write', ['retransmission', 'duplicate'])).toEqual({ row: '', operation: 'text-retx-ink' });
    expect(inkOf('write', ['icrc-bad']).row).toBe('text-error-ink');
    expect(inkOf('cnp', ['cnp']).operation).toBe('text-retx-ink');
    expect(inkOf('write', ['copy', 'retransmission']).row).toBe('text-ink-3');
  });
});

describe('the packets of a capture with losses', () => {
  const capture = indexCapture(captured('rxe-write-8pc-loss.pcap'));
  const rows = packetsOf(new WholeFile(captured('rxe-write-8pc-loss.pcap')), capture);

  it('count their PSNs from the first request, and their ACKs in the PSNs that they answer', () => {
    const { columns } = capture;
    const way = (i: number) => `${columns.src[i]} ${columns.dst[i]} ${columns.destQp[i]}`;
    const first = new Map<string, number>();
    let compared = 0;
    for (let i = 0; i < rows.length; i++) {
      if (!opcodeInfo(columns.opcode[i]!)?.request || columns.destQp[i] === 1) continue;
      const base = first.get(way(i)) ?? columns.psn[i]!;
      first.set(way(i), base);
      const relative = rows.relativePsn(i)!;
      expect((base + relative + PSN_MODULUS) % PSN_MODULUS).toBe(columns.psn[i]);
      compared++;
    }
    expect(compared).toBeGreaterThan(500);
    const nak = rows.marks.bind(rows);
    const at = Array.from({ length: rows.length }, (_, i) => i).find((i) => nak(i).includes('nak'))!;
    // It asks for a PSN that the requester had sent, or is to send again.
    expect(rows.relativePsn(at)).toBeGreaterThanOrEqual(0);
  });

  it('go between QPs with a letter each', () => {
    const labels = new Set(Array.from({ length: rows.length }, (_, i) => rows.flow(i)?.label));
    expect([...labels]).toEqual(expect.arrayContaining(['A→B', 'B→A']));
    expect(rows.flow(rows.length)).toBeUndefined();
    expect(rows.flow(0)!.title).toMatch(/^10\.9\.0\.\d, QP 0x[0-9a-f]{6} → 10\.9\.0\.\d, QP 0x[0-9a-f]{6}$/);
  });

  it('have their times and lengths without being read', () => {
    expect(captureStreams(capture).flowOf).toHaveLength(rows.length);
    for (const i of [0, 7, rows.length - 1]) {
      expect(rows.time(i)).toBe(rows.at(i)!.t);
      expect(rows.wireLength(i)).toBe(rows.at(i)!.originalLength);
    }
  });
});

describe('names of flows', () => {
  it('say what is unknown, and take two letters once one is not enough', () => {
    const ends = Array.from({ length: 28 }, (_, i) => ({ ip: '10.0.0.1', qpn: i + 2 }));
    const names = flowNames(ends.map((from) => ({ from, to: { ip: '10.0.0.2', qpn: 1, name: 'server' } })));
    expect(names.at(0)!.label).toBe('A→CM');
    expect(names.at(25)!.label).toBe('Z→CM');
    expect(names.at(26)!.label).toBe('AA→CM');
    expect(names.at(27)!.label).toBe('AB→CM');
    expect(names.at(0)!.title).toBe('10.0.0.1, QP 0x000002 → server, 10.0.0.2, QP 0x000001');
    expect(flowNames([{ from: { ip: 'x' }, to: { ip: 'y', qpn: 9 } }])[0]).toMatchObject({
      label: '?→A',
      title: 'x, QP unknown → y, QP 0x000009',
    });
  });
});
