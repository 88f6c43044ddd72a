// Captured traffic of two hosts, with losses that the builder decides, so that the right answer is known.
import {
  aeth,
  atomicacketh,
  atomiceth,
  buildPacket,
  CNP_OPCODE,
  deth,
  diagnoseFile,
  LinkType,
  RC,
  reth,
  writePcapng,
  xrceth,
  type Diagnosis,
} from '../../src/index.js';

export const US = 1000;
export const MS = 1_000_000;
export const S = 1_000_000_000;
export const ACK = 0x1f;
export const NAK = 0x60;
export const RNR = 0x20;

const A = '10.0.0.1';
const B = '10.0.0.2';

/** A packet on the wire. `by`: the end that sent it. */
export interface Sent {
  t: number;
  by: 'a' | 'b';
  data: Uint8Array;
}

/** A captured packet, and the place of its capture. */
export interface Captured extends Sent {
  interfaceId?: number;
  direction?: 'in' | 'out';
}

interface Part {
  opcode: number;
  psn: number;
  headers?: Uint8Array[];
  payload?: number;
  /** Sender, receiver and destination QP. Defaults: from 10.0.0.1 to 10.0.0.2, QP 0x22. */
  host?: string;
  peer?: string;
  qp?: number;
  ecn?: number;
  ackReq?: boolean;
  becn?: boolean;
}

function packet({
  opcode,
  psn,
  headers = [],
  payload = 0,
  host = A,
  peer = B,
  qp = 0x22,
  ...more
}: Part): Uint8Array {
  const { ecn = 2, ackReq = false, becn = false } = more;
  return buildPacket({
    src: host,
    dst: peer,
    ecn,
    bth: { opcode, destQp: qp, psn: psn & 0xffffff, ackReq, becn },
    headers,
    payload: new Uint8Array(payload).fill(psn & 0xff),
  });
}

export const request = (t: number, part: Part): Sent => ({ t, by: 'a', data: packet(part) });
export const answer = (t: number, part: Part): Sent => ({
  t,
  by: 'b',
  data: packet({ host: B, peer: A, qp: 0x11, ...part }),
});
export const region = (dmaLength: number, va = 4096n): Uint8Array =>
  reth.bytes({ va, rkey: 0x77, dmaLength });

export const ack = (t: number, psn: number, msn: number, syndrome = ACK, part: Partial<Part> = {}): Sent =>
  answer(t, {
    opcode: RC.acknowledge,
    psn,
    headers: [aeth.bytes({ syndrome, msn: msn & 0xffffff })],
    ...part,
  });

export const send = (t: number, psn: number, payload = 64, part: Partial<Part> = {}): Sent =>
  request(t, { opcode: RC.sendOnly, psn, payload, ackReq: true, ...part });

export const write = (t: number, psn: number, payload = 64, part: Partial<Part> = {}): Sent =>
  request(t, { opcode: RC.writeOnly, psn, headers: [region(payload)], payload, ackReq: true, ...part });

export const cnp = (t: number): Sent => answer(t, { opcode: CNP_OPCODE, psn: 0, payload: 16, becn: true });

export const datagram = (t: number, psn: number, qp = 0x22): Sent =>
  request(t, {
    opcode: 0x64,
    psn,
    qp,
    payload: 256,
    headers: [deth.bytes({ qkey: 0x11111111, reserved: 0, srcQp: 0x11 })],
  });

export interface Writes {
  packets?: number;
  psn?: number;
  msn?: number;
  t?: number;
  /** Packets per message. */
  message?: number;
  /** Packets that are lost before the capture, the first time. */
  lose?: number[];
  /** Time until the requester goes back, as no NAK comes, ns. */
  timeout?: number;
  transport?: 'RC' | 'UC' | 'XRC';
}

const MTU = 1024;
const BITS = { RC: 0, UC: 0x20, XRC: 0xa0 };

/** WRITEs with an ACK behind each message. After a loss six packets follow, then the requester goes back. */
export function writes(options: Writes = {}): Sent[] {
  const { packets = 40, psn = 100, message = 4, timeout, transport = 'RC' } = options;
  let { msn = 0, t = 0 } = options;
  const lost = new Set(options.lose);
  const out: Sent[] = [];
  const bits = BITS[transport];
  const srq = transport === 'XRC' ? [xrceth.bytes({ reserved: 0, srq: 0x55 })] : [];
  const part = (i: number): Part => {
    const [first, last] = [i % message === 0, i % message === message - 1];
    const opcode =
      first && last ? RC.writeOnly : first ? RC.writeFirst : last ? RC.writeLast : RC.writeMiddle;
    const headers = [...srq, ...(first ? [region(MTU * message, BigInt(i * MTU))] : [])];
    return { opcode: opcode | bits, psn: psn + i, headers, payload: MTU, ackReq: last };
  };
  const acked = (i: number, syndrome = ACK, at = t): void => {
    if (transport !== 'UC') out.push(ack(at, psn + i, msn, syndrome, { opcode: RC.acknowledge | bits }));
  };
  let i = 0;
  while (i < packets) {
    if (lost.delete(i) && transport !== 'UC') {
      const at = i;
      t += 5 * US;
      for (i++; i < packets && i <= at + 6; i++, t += 5 * US) {
        out.push(request(t, part(i)));
        if (i === at + 2 && timeout === undefined) acked(at, NAK, t + 2 * US);
      }
      t += timeout ?? 20 * US;
      i = at;
      continue;
    }
    if (!options.lose?.includes(i) || transport !== 'UC') out.push(request(t, part(i)));
    t += 5 * US;
    if (i % message === message - 1) {
      msn++;
      acked(i);
      t += 5 * US;
    }
    i++;
  }
  return out;
}

export interface ReadCase {
  packets?: number;
  psn?: number;
  /** Responses that are not captured the first time. */
  lose?: number[];
  /**
   * First response that the READ is asked for again from, and the wait before that, ns. Undefined: no second request.
   */
  ask?: number;
  wait?: number;
  /** Number of WRITEs of one packet that follow. */
  tail?: number;
  t?: number;
}

const responseOpcode = (i: number, from: number, end: number): number =>
  i === from && i === end - 1
    ? RC.readResponseOnly
    : i === from
      ? RC.readResponseFirst
      : i === end - 1
        ? RC.readResponseLast
        : RC.readResponseMiddle;

export function readRequest(t: number, psn: number, from: number, packets: number): Sent {
  const headers = [region((packets - from) * MTU, BigInt(from * MTU))];
  return request(t, { opcode: RC.readRequest, psn: psn + from, headers });
}

export function readResponses(
  t: number,
  psn: number,
  from: number,
  packets: number,
  only: (i: number) => boolean,
): Sent[] {
  const out: Sent[] = [];
  for (let i = from; i < packets; i++) {
    const opcode = responseOpcode(i, from, packets);
    const headers = opcode === RC.readResponseMiddle ? [] : [aeth.bytes({ syndrome: ACK, msn: 1 })];
    if (only(i)) out.push(answer(t + (i - from) * 2 * US, { opcode, psn: psn + i, headers, payload: MTU }));
  }
  return out;
}

/** A READ, the repeated request for a part of it, and WRITEs behind it. */
export function read(options: ReadCase = {}): Sent[] {
  const { packets = 8, psn = 200, lose = [], ask, wait = 10 * US, tail = 10 } = options;
  let { t = 0 } = options;
  const out = [
    readRequest(t, psn, 0, packets),
    ...readResponses(t + 5 * US, psn, 0, packets, (i) => !lose.includes(i)),
  ];
  t += (5 + 2 * packets) * US;
  if (ask !== undefined) {
    t += wait;
    out.push(readRequest(t, psn, ask, packets), ...readResponses(t + 5 * US, psn, ask, packets, () => true));
    t += (5 + 2 * packets) * US;
  }
  for (let i = 0; i < tail; i++) {
    t += 20 * US;
    out.push(write(t, psn + packets + i), ack(t + 5 * US, psn + packets + i, 2 + i));
  }
  return out;
}

export const fetchAdd = (t: number, psn: number): Sent =>
  request(t, {
    opcode: RC.fetchAdd,
    psn,
    headers: [atomiceth.bytes({ va: 64n, rkey: 9, swapOrAdd: 1n, compare: 0n })],
  });
export const atomicAnswer = (t: number, psn: number, msn: number): Sent =>
  answer(t, {
    opcode: RC.atomicAcknowledge,
    psn,
    headers: [aeth.bytes({ syndrome: ACK, msn }), atomicacketh.bytes({ original: 41n })],
  });

/** PSN of a packet from these builders. */
export const psnOf = ({ data }: Sent): number => (data[37]! << 16) | (data[38]! << 8) | data[39]!;
export const opcodeOf = ({ data }: Sent): number => data[28]!;

/**
 * Captures of two interfaces: each packet leaves by the one of its sender and arrives at the other, `delay` later.
 * `only` gives the captures that hold a packet.
 */
export function bothEnds(
  sent: readonly Sent[],
  options: {
    flags?: boolean;
    delay?: number;
    only?: (one: Sent, index: number) => { left?: boolean; arrived?: boolean };
  } = {},
): Captured[] {
  const { flags = false, delay = 2 * US, only } = options;
  return sent
    .flatMap((one, i): Captured[] => {
      const { left = true, arrived = true } = only?.(one, i) ?? {};
      const end = one.by === 'a' ? 0 : 1;
      const way = (direction: 'in' | 'out') => (flags ? { direction } : {});
      return [
        ...(left ? [{ ...one, interfaceId: end, ...way('out') }] : []),
        ...(arrived ? [{ ...one, t: one.t + delay, interfaceId: 1 - end, ...way('in') }] : []),
      ];
    })
    .sort((x, y) => x.t - y.t);
}

/** A capture file of packets in the given order. `snap`: the bytes that the capture keeps of each packet. */
export function fileOf(captured: readonly Captured[], snap = Infinity): Uint8Array {
  const first = 1_700_000_000_000_000_000n;
  return writePcapng(
    [
      { linkType: LinkType.RAW, name: 'eth0' },
      { linkType: LinkType.RAW, name: 'eth1' },
    ],
    captured.map(({ t, data, interfaceId = 0, direction }) => ({
      timeNs: first + BigInt(t),
      data: data.subarray(0, snap),
      originalLength: data.length,
      interfaceId,
      ...(direction ? { direction } : {}),
    })),
  );
}

export const diagnose = (captured: readonly Captured[], snap?: number): Diagnosis =>
  diagnoseFile(fileOf(captured, snap));

/** Payload that a diagnosis counts once, in both directions of all connections. */
export const goodBytes = ({ connections }: Diagnosis): number =>
  connections.reduce((sum, { from }) => sum + (from[0]?.goodBytes ?? 0) + (from[1]?.goodBytes ?? 0), 0);
