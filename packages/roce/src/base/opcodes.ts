import { OPERATIONS, type Operation, type Transport } from './operations.js';
import type { LayerId, MessageKind, PacketKind } from './types.js';

export interface OpcodeInfo {
  opcode: number;
  transport: Transport;
  /** Name without the transport: `RDMA WRITE First`. */
  operation: string;
  /** `RC RDMA WRITE First`. */
  name: string;
  kind: PacketKind;
  /** The message this packet is part of, or answers. */
  message?: MessageKind;
  /** Sent by the requester; false for responses. */
  request: boolean;
  /** First, or only, packet of its message. */
  first: boolean;
  /** Last, or only, packet of its message. */
  last: boolean;
  /** Headers after the BTH, in order. */
  headers: LayerId[];
  /** Bytes of those headers. */
  headersLength: number;
  /** True if payload may follow the headers. */
  payload: boolean;
  /** Explanation in one sentence. */
  doc: string;
}

/** Bytes of each extended header. */
export const HEADER_LENGTH: Partial<Record<LayerId, number>> = {
  rdeth: 4,
  xrceth: 4,
  deth: 8,
  reth: 16,
  aeth: 4,
  immdt: 4,
  ieth: 4,
  feth: 4,
  atomiceth: 28,
  atomicacketh: 8,
};

const TRANSPORT_BITS: [Transport, number][] = [
  ['RC', 0x00],
  ['UC', 0x20],
  ['RD', 0x40],
  ['UD', 0x60],
  ['XRC', 0xa0],
];

/**
 * The BTH opcode table: the headers after the BTH for every opcode, and the kind of packet.
 * The upper three bits name the transport, the lower five the operation (InfiniBand specification vol. 1, 9.2.1;
 * the same table as in the kernel's drivers/infiniband/sw/rxe/rxe_opcode.c). 0x81 is the RoCEv2 CNP.
 */
const TABLE: (OpcodeInfo | undefined)[] = new Array<OpcodeInfo | undefined>(256).fill(undefined);

for (const [transport, bits] of TRANSPORT_BITS) {
  for (const [low, o] of Object.entries(OPERATIONS)) {
    if (!o.transports.includes(transport)) continue;
    const { transports: _, ...rest } = o;
    const prefix = prefixOf(transport, o);
    const headers = [...prefix, ...o.headers];
    TABLE[bits | Number(low)] = {
      ...rest,
      ...(transport === 'UD' ? { message: 'Datagram' } : {}),
      opcode: bits | Number(low),
      transport,
      name: `${transport} ${o.operation}`,
      headers,
      headersLength: headers.reduce((n, h) => n + HEADER_LENGTH[h]!, 0),
    };
  }
}

/** Headers before the operation's own: DETH on UD, RDETH on RD and a DETH on RD requests, XRCETH on XRC requests. */
function prefixOf(transport: Transport, { request }: Operation): LayerId[] {
  if (transport === 'UD') return ['deth'];
  if (transport === 'RD') return request ? ['rdeth', 'deth'] : ['rdeth'];
  return transport === 'XRC' && request ? ['xrceth'] : [];
}

/** RoCEv2 congestion notification packet: BTH (BECN set) and 16 reserved bytes. */
export const CNP_OPCODE = 0x81;
TABLE[CNP_OPCODE] = {
  opcode: CNP_OPCODE,
  transport: 'CNP',
  operation: 'CNP',
  name: 'CNP',
  kind: 'cnp',
  request: false,
  first: true,
  last: true,
  headers: [],
  headersLength: 0,
  payload: true,
  doc: 'Congestion notification: the receiver saw packets of this flow marked by a switch and asks its sender to slow down.',
};

/** Returns undefined for an opcode that is not in the table. */
export function opcodeInfo(opcode: number): OpcodeInfo | undefined {
  return TABLE[opcode];
}

/** `RC RDMA WRITE First`, or `Unknown opcode 0x..`. */
export function opcodeName(opcode: number): string {
  return TABLE[opcode]?.name ?? `Unknown opcode 0x${opcode.toString(16).padStart(2, '0')}`;
}

/** Shortest name of the operation: `WRITE First`, `ACK`. */
export function operationName(opcode: number): string {
  const known = TABLE[opcode];
  if (known === undefined) return opcodeName(opcode);
  return known.kind === 'ack' ? 'ACK' : known.operation.replace(/^RDMA /, '');
}

/** Every known opcode, in order. */
export function allOpcodes(): OpcodeInfo[] {
  return TABLE.filter((x): x is OpcodeInfo => x !== undefined);
}
