/** Captures of real runs, checked by independent tools: tshark's dissector, and scapy's computation of the ICRC. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { helper, installed, pair } from './run.js';

const dir = mkdtempSync(join(tmpdir(), 'uroce-capture-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const runs = [
  { name: 'send', program: 'ibv_rc_pingpong', args: ['-g', '1', '-n', '100'] },
  { name: 'send6', program: 'ibv_rc_pingpong', args: ['-g', '0', '-n', '100', '-s', '5001'] },
  { name: 'write', program: 'ib_write_bw', args: ['-x', '1', '-F', '-n', '50'] },
  { name: 'read', program: 'ib_read_bw', args: ['-x', '1', '-F', '-n', '20', '-s', '20001'] },
  { name: 'atomic', program: 'ib_atomic_bw', args: ['-x', '1', '-F', '-n', '50'] },
  { name: 'ring', program: 'ib_write_bw', args: ['-x', '1', '-F', '-n', '50'], env: { UROCE_LINK: 'shm' } },
  { name: 'ring6', program: 'ibv_rc_pingpong', args: ['-g', '0', '-n', '100'], env: { UROCE_LINK: 'shm' } },
];

/** Prints "<packets> <wrong>" for the ICRCs of an IPv4 capture, computed by scapy. */
const scapyCheck = `
import sys
from scapy.all import PcapNgReader, IP, raw, conf
from scapy.contrib.roce import BTH
conf.verb = 0
n = bad = 0
for p in PcapNgReader(sys.argv[1]):
    ip = IP(raw(p))
    n += 1
    if BTH not in ip: bad += 1; continue
    good = ip[BTH].compute_icrc(raw(ip[BTH])[:-4])
    if good != raw(ip)[-4:]: bad += 1
print(n, bad)
`;

function hasScapy(): boolean {
  try {
    helper('/usr/bin/python3', ['-c', 'from scapy.contrib.roce import BTH']);
    return true;
  } catch {
    return false;
  }
}
const scapy = hasScapy();
if (!installed('tshark')) console.warn('tshark is not installed: captures are not dissected');
if (!scapy) console.warn('scapy is not installed for /usr/bin/python3: ICRCs are not checked independently');

describe('capture files', () => {
  for (const run of runs) {
    const file = join(dir, run.name);
    it(`${run.name}: a run with UROCE_PCAP leaves two captures`, async () => {
      const { server, client } = await pair(run.program, run.args, {
        env: { ...run.env, UROCE_PCAP: `${file}.%p.pcapng` },
      });
      expect([server.code, client.code], client.output + server.output).toEqual([0, 0]);
      expect(captures(run.name)).toHaveLength(2);
    });

    it.skipIf(!installed('tshark'))(`${run.name}: tshark finds RoCEv2 and nothing malformed`, () => {
      for (const capture of captures(run.name)) {
        const rows = helper('tshark', [
          '-r',
          capture,
          '-T',
          'fields',
          '-e',
          'frame.protocols',
          '-e',
          '_ws.malformed',
          '-e',
          'infiniband.bth.opcode',
        ])
          .trimEnd()
          .split('\n')
          .map((row) => row.split('\t'));
        expect(rows.length).toBeGreaterThan(40);
        for (const [protocols, malformed, opcode] of rows) {
          expect(protocols).toMatch(/:udp:infiniband/);
          expect(malformed ?? '').toBe('');
          expect(opcode).not.toBe('');
        }
      }
    });

    it.skipIf(!scapy || run.name.endsWith('6'))(`${run.name}: every ICRC is what scapy computes`, () => {
      for (const capture of captures(run.name)) {
        const [packets, wrong] = helper('/usr/bin/python3', ['-c', scapyCheck, capture])
          .trim()
          .split(' ')
          .map(Number);
        expect(packets).toBeGreaterThan(40);
        expect(wrong).toBe(0);
      }
    });
  }
});

function captures(name: string): string[] {
  return readdirSync(dir)
    .filter((entry) => entry.startsWith(`${name}.`))
    .map((entry) => join(dir, entry));
}
