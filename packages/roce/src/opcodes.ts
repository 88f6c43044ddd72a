import type { LayerId, MessageKind, PacketKind } from './types.js';

/**
 * The BTH opcode table: what follows the BTH for every opcode, and what the packet is.
 * The upper three bits name the transport, the lower five the operation (InfiniBand specification vol. 1, 9.2.1;
 * the same table as in the kernel's drivers/infiniband/sw/rxe/rxe_opcode.c). 0x81 is the RoCEv2 CNP.
 */
export type Transport = 'RC' | 'UC' | 'RD' | 'UD' | 'CNP';

export interface OpcodeInfo {
  opcode: number;
  transport: Transport;
  /** Without the transport: `RDMA WRITE First`. */
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
  /** Whether payload may follow the headers. */
  payload: boolean;
  /** One sentence. */
  doc: string;
}

/** Bytes of each extended header. */
export const HEADER_LENGTH: Partial<Record<LayerId, number>> = {
  rdeth: 4,
  deth: 8,
  reth: 16,
  aeth: 4,
  immdt: 4,
  ieth: 4,
  feth: 4,
  atomiceth: 28,
  atomicacketh: 8,
};

interface Operation {
  operation: string;
  kind: PacketKind;
  message?: MessageKind;
  request: boolean;
  first: boolean;
  last: boolean;
  headers: LayerId[];
  payload: boolean;
  transports: Transport[];
  doc: string;
}

const ALL: Transport[] = ['RC', 'UC', 'RD'];
const RELIABLE: Transport[] = ['RC', 'RD'];

function op(
  operation: string,
  kind: PacketKind,
  message: MessageKind | undefined,
  place: 'first' | 'middle' | 'last' | 'only',
  headers: LayerId[],
  payload: boolean,
  transports: Transport[],
  doc: string,
  request = true,
): Operation {
  return {
    operation,
    kind,
    ...(message === undefined ? {} : { message }),
    request,
    first: place === 'first' || place === 'only',
    last: place === 'last' || place === 'only',
    headers,
    payload,
    transports,
    doc,
  };
}

/** RC opcodes by name. The other transports have the same operations under other upper bits. */
export const RC = {
  sendFirst: 0x00,
  sendMiddle: 0x01,
  sendLast: 0x02,
  sendLastImmediate: 0x03,
  sendOnly: 0x04,
  sendOnlyImmediate: 0x05,
  writeFirst: 0x06,
  writeMiddle: 0x07,
  writeLast: 0x08,
  writeLastImmediate: 0x09,
  writeOnly: 0x0a,
  writeOnlyImmediate: 0x0b,
  readRequest: 0x0c,
  readResponseFirst: 0x0d,
  readResponseMiddle: 0x0e,
  readResponseLast: 0x0f,
  readResponseOnly: 0x10,
  acknowledge: 0x11,
  atomicAcknowledge: 0x12,
  compareSwap: 0x13,
  fetchAdd: 0x14,
  sendLastInvalidate: 0x16,
  sendOnlyInvalidate: 0x17,
  flush: 0x1c,
  atomicWrite: 0x1d,
} as const;

const OPERATIONS: Record<number, Operation> = {
  [RC.sendFirst]: op(
    'SEND First',
    'send',
    'SEND',
    'first',
    [],
    true,
    ALL,
    'Opens a SEND of several packets; it carries exactly one path MTU and lands in the receive buffer posted next at the responder.',
  ),
  [RC.sendMiddle]: op(
    'SEND Middle',
    'send',
    'SEND',
    'middle',
    [],
    true,
    ALL,
    'Continues a SEND; it carries exactly one path MTU.',
  ),
  [RC.sendLast]: op(
    'SEND Last',
    'send',
    'SEND',
    'last',
    [],
    true,
    ALL,
    'Ends a SEND with what is left of the payload and completes the receive at the responder.',
  ),
  [RC.sendLastImmediate]: op(
    'SEND Last with Immediate',
    'send',
    'SEND with immediate',
    'last',
    ['immdt'],
    true,
    ALL,
    'Ends a SEND and passes four bytes of immediate data to the receive completion.',
  ),
  [RC.sendOnly]: op(
    'SEND Only',
    'send',
    'SEND',
    'only',
    [],
    true,
    [...ALL, 'UD'],
    'A whole SEND in one packet; it consumes one posted receive.',
  ),
  [RC.sendOnlyImmediate]: op(
    'SEND Only with Immediate',
    'send',
    'SEND with immediate',
    'only',
    ['immdt'],
    true,
    [...ALL, 'UD'],
    'A whole SEND in one packet, with four bytes of immediate data for the receive completion.',
  ),
  [RC.writeFirst]: op(
    'RDMA WRITE First',
    'write',
    'RDMA WRITE',
    'first',
    ['reth'],
    true,
    ALL,
    'Opens an RDMA WRITE of several packets; its RETH names the remote address, the key and the length of the whole message.',
  ),
  [RC.writeMiddle]: op(
    'RDMA WRITE Middle',
    'write',
    'RDMA WRITE',
    'middle',
    [],
    true,
    ALL,
    'Continues an RDMA WRITE; the responder adds the payload after what it has already placed.',
  ),
  [RC.writeLast]: op(
    'RDMA WRITE Last',
    'write',
    'RDMA WRITE',
    'last',
    [],
    true,
    ALL,
    'Ends an RDMA WRITE; the responder’s application is not notified.',
  ),
  [RC.writeLastImmediate]: op(
    'RDMA WRITE Last with Immediate',
    'write',
    'RDMA WRITE with immediate',
    'last',
    ['immdt'],
    true,
    ALL,
    'Ends an RDMA WRITE and consumes a posted receive, whose completion carries the immediate data.',
  ),
  [RC.writeOnly]: op(
    'RDMA WRITE Only',
    'write',
    'RDMA WRITE',
    'only',
    ['reth'],
    true,
    ALL,
    'A whole RDMA WRITE in one packet.',
  ),
  [RC.writeOnlyImmediate]: op(
    'RDMA WRITE Only with Immediate',
    'write',
    'RDMA WRITE with immediate',
    'only',
    ['reth', 'immdt'],
    true,
    ALL,
    'A whole RDMA WRITE in one packet that also consumes a posted receive and delivers immediate data.',
  ),
  [RC.readRequest]: op(
    'RDMA READ Request',
    'read-request',
    'RDMA READ',
    'only',
    ['reth'],
    false,
    RELIABLE,
    'Asks the responder to send back a range of its memory; it takes one PSN for every response packet.',
  ),
  [RC.readResponseFirst]: op(
    'RDMA READ response First',
    'read-response',
    'RDMA READ',
    'first',
    ['aeth'],
    true,
    RELIABLE,
    'First packet of the data a READ asked for; its AETH also acknowledges earlier requests.',
    false,
  ),
  [RC.readResponseMiddle]: op(
    'RDMA READ response Middle',
    'read-response',
    'RDMA READ',
    'middle',
    [],
    true,
    RELIABLE,
    'Continues the data of a READ; it carries exactly one path MTU and no AETH.',
    false,
  ),
  [RC.readResponseLast]: op(
    'RDMA READ response Last',
    'read-response',
    'RDMA READ',
    'last',
    ['aeth'],
    true,
    RELIABLE,
    'Last packet of the data of a READ; it completes the READ at the requester.',
    false,
  ),
  [RC.readResponseOnly]: op(
    'RDMA READ response Only',
    'read-response',
    'RDMA READ',
    'only',
    ['aeth'],
    true,
    RELIABLE,
    'The whole data of a READ in one packet; also answers a FLUSH or an ATOMIC WRITE.',
    false,
  ),
  [RC.acknowledge]: op(
    'Acknowledge',
    'ack',
    undefined,
    'only',
    ['aeth'],
    false,
    RELIABLE,
    'Acknowledges every request up to its PSN, or refuses one with a NAK; the AETH syndrome says which.',
    false,
  ),
  [RC.atomicAcknowledge]: op(
    'ATOMIC Acknowledge',
    'atomic-ack',
    undefined,
    'only',
    ['aeth', 'atomicacketh'],
    false,
    RELIABLE,
    'Answers an atomic with the value that memory held before.',
    false,
  ),
  [RC.compareSwap]: op(
    'Compare Swap',
    'atomic',
    'Compare Swap',
    'only',
    ['atomiceth'],
    false,
    RELIABLE,
    'Atomically replaces 8 bytes at the responder if they equal the compare value; the old value comes back either way.',
  ),
  [RC.fetchAdd]: op(
    'Fetch Add',
    'atomic',
    'Fetch Add',
    'only',
    ['atomiceth'],
    false,
    RELIABLE,
    'Atomically adds to 8 bytes at the responder; the old value comes back.',
  ),
  [RC.sendLastInvalidate]: op(
    'SEND Last with Invalidate',
    'send',
    'SEND with invalidate',
    'last',
    ['ieth'],
    true,
    ['RC'],
    'Ends a SEND and makes one memory key of the receiver invalid.',
  ),
  [RC.sendOnlyInvalidate]: op(
    'SEND Only with Invalidate',
    'send',
    'SEND with invalidate',
    'only',
    ['ieth'],
    true,
    ['RC'],
    'A whole SEND in one packet that makes one memory key of the receiver invalid.',
  ),
  [RC.flush]: op(
    'FLUSH',
    'flush',
    'FLUSH',
    'only',
    ['feth', 'reth'],
    false,
    ['RC'],
    'Asks that earlier writes to a range become visible or persistent before it is answered.',
  ),
  [RC.atomicWrite]: op(
    'ATOMIC WRITE',
    'atomic',
    'ATOMIC WRITE',
    'only',
    ['reth'],
    true,
    ['RC'],
    'Writes 8 bytes at the responder in one indivisible step.',
  ),
};

const TRANSPORT_BITS: [Transport, number][] = [
  ['RC', 0x00],
  ['UC', 0x20],
  ['RD', 0x40],
  ['UD', 0x60],
];

const TABLE: (OpcodeInfo | undefined)[] = new Array<OpcodeInfo | undefined>(256).fill(undefined);

for (const [transport, bits] of TRANSPORT_BITS) {
  for (const [low, o] of Object.entries(OPERATIONS)) {
    if (!o.transports.includes(transport)) continue;
    const { transports: _, ...rest } = o;
    const prefix: LayerId[] = transport === 'UD' ? ['deth'] : transport === 'RD' ? rdHeaders(o) : [];
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

/** Reliable datagrams carry an RDETH always, and a DETH on requests. */
function rdHeaders(o: Operation): LayerId[] {
  return o.request ? ['rdeth', 'deth'] : ['rdeth'];
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

/** Undefined for opcodes that the table does not know. */
export function opcodeInfo(opcode: number): OpcodeInfo | undefined {
  return TABLE[opcode];
}

/** `RC RDMA WRITE First`, or `Unknown opcode 0x..`. */
export function opcodeName(opcode: number): string {
  return TABLE[opcode]?.name ?? `Unknown opcode 0x${opcode.toString(16).padStart(2, '0')}`;
}

/** What it does, in the fewest words: `WRITE First`, `ACK`. */
export function operationName(opcode: number): string {
  const known = TABLE[opcode];
  if (known === undefined) return opcodeName(opcode);
  return known.kind === 'ack' ? 'ACK' : known.operation.replace(/^RDMA /, '');
}

/** Every known opcode, in order. */
export function allOpcodes(): OpcodeInfo[] {
  return TABLE.filter((x): x is OpcodeInfo => x !== undefined);
}
