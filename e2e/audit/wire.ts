// The packets of a run as tshark reads them from its capture.
import { execFileSync } from 'node:child_process';
import { GUESSES, checkIcrc } from '../lib/capture.js';

export interface WirePacket {
  /** Nanoseconds since 1970. */
  timeNs: bigint;
  sent: boolean;
  /** Bytes on the wire, and bytes that were kept, from the IP header on. */
  length: number;
  kept: number;
  src: string;
  dst: string;
  /** Info column of tshark: `RC RDMA Write First QP=0x002299`. */
  info: string;
  opcode: number;
  destQp: number;
  psn: number;
  ackReq: boolean;
  syndrome: number | null;
  msn: number | null;
  /** RETH. */
  remote: { va: bigint; rkey: number; length: number } | null;
  payload: number;
}

export interface Wire {
  packets: WirePacket[];
  /** Result of scapy's ICRC check. */
  icrc: { packets: number; wrong: number };
}

const FIELDS = [
  'frame.time_epoch',
  'frame.packet_flags_direction',
  'frame.len',
  'frame.cap_len',
  'ip.src',
  'ip.dst',
  'udp.length',
  '_ws.col.Info',
  'infiniband.bth.opcode',
  'infiniband.bth.destqp',
  'infiniband.bth.psn',
  'infiniband.bth.a',
  'infiniband.bth.padcnt',
  'infiniband.aeth.syndrome',
  'infiniband.aeth.msn',
  'infiniband.reth.va',
  'infiniband.reth.r_key',
  'infiniband.reth.dmalen',
];

/** RC opcodes of the BTH (InfiniBand Architecture, 9.2.1). */
export const OPCODE = {
  sendFirst: 0,
  sendMiddle: 1,
  sendLast: 2,
  sendOnly: 4,
  writeFirst: 6,
  writeMiddle: 7,
  writeLast: 8,
  writeOnly: 10,
  readRequest: 12,
  responseFirst: 13,
  responseMiddle: 14,
  responseLast: 15,
  responseOnly: 16,
  ack: 17,
} as const;

const UDP_BYTES = 8;
const BTH_BYTES = 12;
const ICRC_BYTES = 4;
const RETH_BYTES = 16;
const AETH_BYTES = 4;

/** Converts `1795436183.421519885` to ns. A double does not have so many digits. */
const epochNs = (text: string): bigint => {
  const [seconds = '0', fraction = ''] = text.split('.');
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
};

function packetOf(line: string): WirePacket {
  const cells = line.split('\t');
  const at = (field: string): string => cells[FIELDS.indexOf(field)] ?? '';
  const reth = at('infiniband.reth.va') !== '';
  const aeth = at('infiniband.aeth.syndrome') !== '';
  const udp = Number(at('udp.length')) - UDP_BYTES;
  return {
    timeNs: epochNs(at('frame.time_epoch')),
    sent: (Number(at('frame.packet_flags_direction')) & 3) === 2,
    length: Number(at('frame.len')),
    kept: Number(at('frame.cap_len')),
    src: at('ip.src'),
    dst: at('ip.dst'),
    info: at('_ws.col.Info').trim(),
    opcode: Number(at('infiniband.bth.opcode')),
    destQp: Number(at('infiniband.bth.destqp')),
    psn: Number(at('infiniband.bth.psn')),
    ackReq: /^(1|True)$/.test(at('infiniband.bth.a')),
    syndrome: aeth ? Number(at('infiniband.aeth.syndrome')) : null,
    msn: aeth ? Number(at('infiniband.aeth.msn')) : null,
    remote: reth
      ? {
          va: BigInt(at('infiniband.reth.va')),
          rkey: Number(at('infiniband.reth.r_key')),
          length: Number(at('infiniband.reth.dmalen')),
        }
      : null,
    payload:
      udp -
      BTH_BYTES -
      ICRC_BYTES -
      (reth ? RETH_BYTES : 0) -
      (aeth ? AETH_BYTES : 0) -
      Number(at('infiniband.bth.padcnt')),
  };
}

export function readWire(file: string): Wire {
  const text = execFileSync(
    'tshark',
    [...GUESSES, '-r', file, '-T', 'fields', ...FIELDS.flatMap((field) => ['-e', field])],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  return { packets: text.split('\n').filter(Boolean).map(packetOf), icrc: checkIcrc(file) };
}

export const isNak = ({ opcode, syndrome }: WirePacket): boolean =>
  opcode === OPCODE.ack && syndrome !== null && (syndrome & 0x60) !== 0;

/** Packets that carry a request's or a response's payload. */
export const carriesData = ({ opcode }: WirePacket): boolean =>
  opcode !== OPCODE.ack && opcode !== OPCODE.readRequest;

export const endsMessage = ({ opcode }: WirePacket): boolean =>
  [
    OPCODE.sendLast,
    OPCODE.sendOnly,
    OPCODE.writeLast,
    OPCODE.writeOnly,
    OPCODE.responseLast,
    OPCODE.responseOnly,
  ].some((last) => last === opcode);
