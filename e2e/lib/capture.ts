// Independent tools for a capture file: tshark for the dissection, scapy for the ICRC.
import { execFileSync } from 'node:child_process';

/**
 * Options that switch off tshark's guesses at the content of a payload (`tshark -G heuristic-decodes`,
 * infiniband.payload). A payload of a few bytes, or of leftover program memory, sometimes looks like one of these
 * protocols, and tshark then calls it malformed.
 */
export const GUESSES = [
  'eth_over_ib',
  'fc_infiniband',
  'iser_infiniband',
  'lnet_ib',
  'mellanox_eoib',
  'nvme_rdma',
  'rpcrdma_infiniband',
  'sdp_infiniband',
  'smb_direct_infiniband',
  'smcr_infiniband',
].flatMap((guess) => ['--disable-heuristic', guess]);

const tshark = (args: string[]) =>
  execFileSync('tshark', [...GUESSES, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });

/**
 * Number of packets in the file, number of RoCEv2 packets by tshark, and the numbers of packets that it calls
 * malformed.
 */
export function dissect(file: string): { packets: number; roce: number; malformed: string[] } {
  const lines = (filter?: string) =>
    tshark(['-r', file, '-T', 'fields', '-e', 'frame.number', ...(filter ? ['-Y', filter] : [])])
      .split('\n')
      .filter(Boolean).length;
  return {
    packets: lines(),
    roce: lines('udp.dstport == 4791 && infiniband'),
    malformed: tshark(['-r', file, '-Y', '_ws.malformed']).split('\n').filter(Boolean),
  };
}

/** BTH opcodes of the packets, in order. */
export function opcodes(file: string): number[] {
  return tshark(['-r', file, '-T', 'fields', '-e', 'infiniband.bth.opcode'])
    .split('\n')
    .filter(Boolean)
    .map(Number);
}

// scapy computes the invariant CRC from the packet as captured, without this project's code.
const ICRC_CHECK = `
import sys
from scapy.all import PcapReader, IP
from scapy.contrib.roce import BTH
packets = wrong = 0
for record in PcapReader(sys.argv[1]):
    if IP not in record or BTH not in record:
        continue
    ip = record[IP]
    packets += 1
    carried = bytes(ip)[ip.len - 4:ip.len]
    bth = ip[BTH]
    computed = bth.compute_icrc(bytes(bth)[:ip.len - 20 - 8 - 4])
    if computed != carried:
        wrong += 1
print(packets, wrong)
`;

/** Number of IPv4 packets whose ICRC scapy computed, and of those where it disagrees. */
export function checkIcrc(file: string): { packets: number; wrong: number } {
  const [packets, wrong] = execFileSync('/usr/bin/python3', ['-c', ICRC_CHECK, file], { encoding: 'utf8' })
    .trim()
    .split(' ')
    .map(Number) as [number, number];
  return { packets, wrong };
}
