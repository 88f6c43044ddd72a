import { u16, u32 } from '../base/bytes.js';
import type { Frame } from './frame.js';
import {
  ipv4,
  ipv4Checksum,
  ipv6,
  ipv6Fragment,
  pppoe,
  ROCE_UDP_PORT,
  IpProtocol,
} from '../headers/index.js';
import { checkIcrc } from './icrc.js';
import { locate } from './locate.js';
import { Sample } from '../base/sample.js';
import { LinkType } from '../base/types.js';

/** Limits of datagrams that are reassembled at a time, and of parts per datagram. More only fill a reader's memory. */
const MAX_PENDING = 256;
const MAX_PARTS = 512;
/** Longest IP packet, bytes. */
const MAX_LENGTH = 65_535;
/** Time after which IP gives up on a datagram (RFC 8200). Its identification may be used again then. */
const LIFETIME_NS = 60e9;

/** A packet that came in fragments, as it was sent. */
export interface Whole {
  data: Uint8Array;
  linkType: number;
  /** Number of fragments, and their bytes on the wire. */
  fragments: number;
  wireBytes: number;
}

interface Part {
  from: number;
  /** Length by the header. The capture may hold less. */
  length: number;
  bytes: Uint8Array;
}

interface Pending {
  parts: Part[];
  /** Length of the datagram; -1 until its last fragment came. */
  total: number;
  /** The first fragment's packet up to its payload. */
  head: { bytes: Uint8Array; frame: Frame } | null;
  wireBytes: number;
  /** Number of fragments. */
  count: number;
  numbers: number[];
  since: number;
}

/** Reassembles IP fragments. Memory is bounded, whatever the fragments. */
export class Reassembler {
  readonly #pending = new Map<string, Pending>();
  /** Numbers of the fragments of RoCE packets that were not completed. */
  readonly #left = new Sample();

  /** Number of datagrams with missing fragments. */
  get pending(): number {
    return this.#pending.size;
  }

  constructor(readonly ports?: readonly number[]) {}

  /** Returns the packet that this fragment completes; null while fragments are missing. `t`: nanoseconds. */
  add(
    bytes: Uint8Array,
    frame: Frame,
    packet: { t: number; number: number; original: number },
  ): Whole | null {
    const key = keyOf(bytes, frame);
    const { from, more } = placeOf(bytes, frame);
    const length = frame.fullEnd - frame.l4;
    if (length <= 0 || from + length > MAX_LENGTH || (more && length % 8 !== 0)) return null;
    let pending = this.#pending.get(key);
    if (!pending || packet.t - pending.since > LIFETIME_NS) {
      if (pending) this.#giveUp(key, pending);
      this.#pending.set(
        key,
        (pending = {
          parts: [],
          total: -1,
          head: null,
          wireBytes: 0,
          count: 0,
          numbers: [],
          since: packet.t,
        }),
      );
      if (this.#pending.size > MAX_PENDING) this.#giveUp(...this.#pending.entries().next().value!);
    }
    const { parts } = pending;
    const overlapped = parts.filter((p) => p.from < from + length && from < p.from + p.length);
    // Receivers drop fragments that contradict each other.
    const payload = bytes.subarray(frame.l4, frame.end);
    if (!overlapped.every((part) => agrees(part, from, payload))) return null;
    const fresh = gapsIn(overlapped, from, from + length);
    if (fresh.length === 0 || parts.length + fresh.length > MAX_PARTS) return null;
    // A view would keep the whole window of the file in memory.
    for (const [start, end] of fresh) {
      parts.push({ from: start, length: end - start, bytes: payload.slice(start - from, end - from) });
    }
    pending.count++;
    pending.wireBytes += packet.original;
    pending.numbers.push(packet.number);
    // The caller may use its frame for the next packet.
    if (from === 0)
      pending.head = { bytes: bytes.slice(0, frame.l4), frame: locate(bytes, frame.linkType, this.ports) };
    if (!more) pending.total = from + length;
    const { total } = pending;
    const there = parts.reduce((sum, p) => sum + p.length, 0);
    if (total !== there || !pending.head) return null;
    // A fragment behind the last one contradicts it and leaves a hole elsewhere.
    if (parts.some((p) => p.from + p.length > total)) return null;
    this.#pending.delete(key);
    return this.#whole(pending, pending.head);
  }

  /** Fragments of RoCE packets whose other fragments are not in the capture. */
  incomplete(): Sample {
    for (const [key, pending] of this.#pending) this.#giveUp(key, pending);
    return this.#left;
  }

  #giveUp(key: string, pending: Pending): void {
    this.#pending.delete(key);
    if (!this.#isRoce(pending)) return;
    for (const number of pending.numbers) this.#left.add(number);
  }

  /** True for a RoCE packet. Only the first fragment has the UDP header. */
  #isRoce({ parts, head }: Pending): boolean {
    const first = parts.find(({ from }) => from === 0);
    if (!head || !first || head.frame.protocol !== IpProtocol.UDP || first.bytes.length < 4) return false;
    const port = u16(first.bytes, 2);
    return port === ROCE_UDP_PORT || this.ports?.includes(port) === true;
  }

  #whole({ parts, total, wireBytes, count }: Pending, head: { bytes: Uint8Array; frame: Frame }): Whole {
    const { frame } = head;
    const tunnel = isTunneled(frame);
    const from = tunnel ? frame.ip : 0;
    const header = head.bytes.subarray(from, frame.fragmentHeader >= 0 ? frame.fragmentHeader : frame.l4);
    parts.sort((a, b) => a.from - b.from);
    const payload = new Uint8Array(total);
    let there = 0;
    for (const part of parts) {
      payload.set(part.bytes, part.from);
      there = part.from + part.bytes.length;
      // Offsets no longer fit behind a fragment that the capture cut.
      if (part.bytes.length < part.length) break;
    }
    const data = new Uint8Array(header.length + there);
    data.set(header);
    data.set(payload.subarray(0, there), header.length);
    const linkType = tunnel ? LinkType.RAW : frame.linkType;
    const ip = frame.ip - from;
    if (frame.ipKind === 'ipv4') this.#patchIpv4(data, ip, frame.ipHeaderLength, total, linkType);
    else patchIpv6(data, ip, header.length, total, frame, from);
    return { data, linkType, fragments: count, wireBytes };
  }

  #patchIpv4(data: Uint8Array, ip: number, length: number, total: number, linkType: number): void {
    set16(data, ip + 2, length + total);
    const put = (flags: number) => {
      set16(data, ip + 6, flags);
      set16(data, ip + 10, ipv4Checksum(data, ip, length));
    };
    put(0);
    const frame = locate(data, linkType, this.ports);
    if (frame.bth < 0 || frame.truncated || frame.error) return;
    // Fragments cannot show whether the sender had set "don't fragment" when it computed the ICRC.
    const wrong = () => checkIcrc(data, frame.ip, frame.bth, frame.end).status === 'bad';
    if (!wrong()) return;
    const DONT_FRAGMENT = 0x4000;
    put(DONT_FRAGMENT);
    if (wrong()) put(0);
  }
}

/** True if a part agrees with these bytes where they overlap. */
function agrees(part: Part, from: number, bytes: Uint8Array): boolean {
  const end = Math.min(part.from + part.bytes.length, from + bytes.length);
  for (let at = Math.max(part.from, from); at < end; at++)
    if (part.bytes[at - part.from] !== bytes[at - from]) return false;
  return true;
}

/** Ranges of a datagram between `from` and `end` that no part holds. */
function gapsIn(parts: Part[], from: number, end: number): [from: number, end: number][] {
  const gaps: [number, number][] = [];
  let at = from;
  for (const part of parts.sort((a, b) => a.from - b.from)) {
    if (part.from > at) gaps.push([at, part.from]);
    at = Math.max(at, part.from + part.length);
  }
  if (at < end) gaps.push([at, end]);
  return gaps;
}

function patchIpv6(
  data: Uint8Array,
  ip: number,
  end: number,
  total: number,
  frame: Frame,
  from: number,
): void {
  set16(data, ip + 4, end - ip - ipv6.length + total);
  // The header in front of the fragment header now announces the header after it.
  const i = frame.headers.last(ipv6Fragment);
  const before = frame.headers.header(i - 1);
  data[before === ipv6 ? ip + 6 : frame.headers.offset(i - 1) - from] = frame.protocol;
}

function set16(data: Uint8Array, at: number, value: number): void {
  data[at] = value >>> 8;
  data[at + 1] = value;
}

/** True if headers around the packet state a length, which is that of the fragment. */
function isTunneled({ headers, ip }: Frame): boolean {
  for (let i = 0; i < headers.count; i++) {
    if (headers.offset(i) >= ip) return false;
    const header = headers.header(i);
    if (header === ipv4 || header === ipv6 || header === pppoe) return true;
  }
  return false;
}

function placeOf(bytes: Uint8Array, frame: Frame): { from: number; more: boolean } {
  if (frame.ipKind === 'ipv4') {
    const word = u16(bytes, frame.ip + 6);
    return { from: (word & 0x1fff) * 8, more: (word & 0x2000) !== 0 };
  }
  const word = u16(bytes, frame.fragmentHeader + 2);
  return { from: word & 0xfff8, more: (word & 1) !== 0 };
}

function keyOf(bytes: Uint8Array, frame: Frame): string {
  const { ip, ipKind, linkType, protocol } = frame;
  const v4 = ipKind === 'ipv4';
  let key = `${linkType} ${protocol} ${v4 ? u16(bytes, ip + 4) : u32(bytes, frame.fragmentHeader + 4)} `;
  const [from, length] = v4 ? [ip + 12, 8] : [ip + 8, 32];
  for (let i = 0; i < length; i += 2) key += String.fromCharCode(u16(bytes, from + i));
  return key;
}
