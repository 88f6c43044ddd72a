import type { OpcodeInfo } from '../base/opcodes.js';
import type { Message, PacketMark, PacketRow } from './types.js';
import type { MessageKind } from '../base/types.js';
import { PSN_MODULUS, psnDistance, PsnLine } from './psn.js';

/**
 * Follows one requester: one end of a connection, its requests and the responses to them.
 *
 * The requester keeps the PSN that a new request must have. A request with that PSN is new. A request ahead of it means
 * that packets in between are missing here. A request behind it has been sent again. Messages are kept in PSN order, so
 * that a response finds its message by binary search. A response completes all messages before it, as RC does.
 */

/** Jump in PSNs from which on the QP number was reused: no device has that many packets in flight, so it is no loss. */
const NEW_CONNECTION = 1 << 16;

interface OpenMessage {
  message: Message;
  first: number;
  /** Last PSN; Infinity until the last packet, or a length, is seen. */
  last: number;
  /** PSNs whose payload is counted, as long as no RETH has given the length. */
  counted: Set<number>;
  lengthKnown: boolean;
}

export interface RequestResult {
  psn: number;
  message: number;
  marks: PacketMark[];
}

export class Requester {
  line: PsnLine | undefined;
  private next = 0;
  /** True if the last new request was a READ with an unknown number of responses. */
  private uncertain = false;
  private readonly seen = new Set<number>();
  private readonly seenResponses = new Set<number>();
  private readonly list: OpenMessage[] = [];
  private firstOpen = 0;
  private current: OpenMessage | undefined;
  retransmissions = 0;
  duplicates = 0;
  gaps = 0;
  /** PSNs that the gaps skip. */
  missing = 0;
  messageCount = 0;

  constructor(
    private readonly connection: number,
    private readonly end: 0 | 1,
    private readonly mtu: number | undefined,
    private readonly messages: Message[],
  ) {}

  request(row: PacketRow, info: OpcodeInfo): RequestResult {
    const marks: PacketMark[] = [];
    this.line ??= new PsnLine(row.psn!);
    let psn = this.line.place(row.psn!, false);
    const fresh = this.seen.size === 0 || Math.abs(psn - this.next) > NEW_CONNECTION;
    if (fresh && this.seen.size > 0) this.restart(psn);
    psn = this.line.place(row.psn!);
    const span = this.span(row, info);
    if (fresh || psn >= this.next) {
      if (!fresh && psn > this.next && !this.uncertain) {
        marks.push('gap');
        this.gaps++;
        this.missing += psn - this.next;
      }
      this.next = psn + span;
      this.uncertain = info.kind === 'read-request' && this.mtu === undefined;
    } else {
      marks.push('retransmission');
      this.retransmissions++;
      if (this.seen.has(psn)) {
        marks.push('duplicate');
        this.duplicates++;
      }
      this.next = Math.max(this.next, psn + span);
    }
    const open = this.messageFor(psn, span, row, info);
    const { message } = open;
    if (marks.includes('retransmission')) message.retransmissions++;
    this.addBytes(open, psn, row, info);
    this.seen.add(psn);
    message.requests.push(row.index);
    message.sentT = row.t;
    if (info.transport !== 'RC' && info.last) message.status = 'sent';
    return { psn, message: message.id, marks };
  }

  /** Starts over for a reused QP number. Open messages stay open. */
  private restart(psn: number): void {
    this.seen.clear();
    this.seenResponses.clear();
    this.list.length = 0;
    this.firstOpen = 0;
    this.current = undefined;
    this.next = psn;
  }

  private span(row: PacketRow, info: OpcodeInfo): number {
    if (info.kind !== 'read-request' || row.dmaLength === undefined || this.mtu === undefined) return 1;
    return Math.max(1, Math.ceil(row.dmaLength / this.mtu));
  }

  private messageFor(psn: number, span: number, row: PacketRow, info: OpcodeInfo): OpenMessage {
    const known = this.find(psn);
    if (known) {
      if (info.last && known.last === Infinity) this.setLast(known, psn + span - 1);
      if (info.last && this.current === known) this.current = undefined;
      else if (!info.last) this.current = known;
      return known;
    }
    const last = info.last ? psn + span - 1 : this.lastOf(psn, row);
    const { current } = this;
    // The First may be missing from the capture. Its successors still belong together.
    if (!info.first && current && current.last === Infinity && current.first < psn) {
      if (info.last) {
        this.setLast(current, last);
        this.current = undefined;
      }
      return current;
    }
    const open = this.insert(psn, last, row, info);
    this.current = info.last ? undefined : open;
    return open;
  }

  /** Last PSN of a message whose first packet states the length, as in a WRITE; Infinity otherwise. */
  private lastOf(psn: number, row: PacketRow): number {
    if (row.dmaLength === undefined || this.mtu === undefined) return Infinity;
    return psn + Math.max(1, Math.ceil(row.dmaLength / this.mtu)) - 1;
  }

  private setLast(open: OpenMessage, last: number): void {
    open.last = last;
    open.message.lastPsn = (this.line!.base + last) & 0xffffff;
  }

  private insert(first: number, last: number, row: PacketRow, info: OpcodeInfo): OpenMessage {
    const message: Message = {
      id: this.messages.length,
      connection: this.connection,
      kind: row.kind === 'cm' ? 'CM' : (info.message ?? 'SEND'),
      from: this.end,
      firstPsn: row.psn!,
      lastPsn: row.psn!,
      requests: [],
      responses: [],
      bytes: 0,
      startT: row.t,
      sentT: row.t,
      retransmissions: 0,
      status: 'open',
    };
    this.messages.push(message);
    this.messageCount++;
    const open: OpenMessage = { message, first, last, counted: new Set(), lengthKnown: false };
    if (last !== Infinity) this.setLast(open, last);
    let at = this.list.length;
    while (at > 0 && this.list[at - 1]!.first > first) at--;
    // A SEND whose last packet was not captured cannot reach into the next message.
    const before = this.list[at - 1];
    if (before && before.last === Infinity) this.setLast(before, first - 1);
    this.list.splice(at, 0, open);
    if (at < this.firstOpen) this.firstOpen = at;
    return open;
  }

  private addBytes(open: OpenMessage, psn: number, row: PacketRow, info: OpcodeInfo): void {
    const { message } = open;
    // The last packet of a WRITE or SEND with immediate data or an invalidation gives the kind of the message.
    if (info.last && info.message !== undefined) message.kind = laterKind(message.kind, info.message);
    if (info.kind === 'atomic') {
      message.bytes = 8;
    } else if (row.dmaLength !== undefined) {
      // A repeated READ for the rest names a shorter length.
      message.bytes = open.lengthKnown ? Math.max(message.bytes, row.dmaLength) : row.dmaLength;
      open.lengthKnown = true;
    } else if (!open.lengthKnown && !open.counted.has(psn)) {
      open.counted.add(psn);
      message.bytes += row.payloadLength;
    }
  }

  /** The message that holds this PSN. */
  private find(psn: number): OpenMessage | undefined {
    const open = this.list[this.indexBefore(psn)];
    if (!open) return undefined;
    return open.last === Infinity
      ? this.seen.has(psn)
        ? open
        : undefined
      : psn <= open.last
        ? open
        : undefined;
  }

  /** Index of the last message that begins at or before `psn`; -1 when none does. */
  private indexBefore(psn: number): number {
    let low = 0;
    let high = this.list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.list[middle]!.first <= psn) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  response(row: PacketRow, info: OpcodeInfo): RequestResult {
    const marks: PacketMark[] = [];
    if (!this.line) return { psn: NaN, message: -1, marks };
    // Responses run behind the requests, so they are placed next to the PSN expected of the next request.
    const psn = this.next + psnDistance((this.line.base + this.next) & (PSN_MODULUS - 1), row.psn!);
    if (Math.abs(psn - this.next) > NEW_CONNECTION) return { psn: NaN, message: -1, marks };
    const open = this.list[this.indexBefore(psn)];
    if (info.kind === 'read-response') {
      if (this.seenResponses.has(psn)) {
        marks.push('duplicate');
        this.duplicates++;
      }
      this.seenResponses.add(psn);
      this.completeBefore(open?.first ?? psn, row);
      if (open && info.last) this.complete(open, row);
    } else if (row.kind === 'nak' || row.kind === 'rnr') {
      marks.push(row.kind);
      // A NAK acknowledges everything before it. A sequence error or an RNR NAK only asks for a new try.
      this.completeBefore(psn, row);
      const fatal = row.kind === 'nak' && (row.syndrome! & 0x1f) !== 0;
      if (fatal && open && open.message.status === 'open') {
        open.message.status = 'refused';
        open.message.doneT = row.t;
        open.message.decidedBy = row.index;
      }
    } else {
      const done = this.completeBefore(psn + 1, row);
      if (done > 1) marks.push('coalesced-ack');
    }
    open?.message.responses.push(row.index);
    return { psn, message: open?.message.id ?? -1, marks };
  }

  /** Completes every open message that ends before `psn`. Returns their number. */
  private completeBefore(psn: number, row: PacketRow): number {
    let done = 0;
    while (this.firstOpen < this.list.length) {
      const open = this.list[this.firstOpen]!;
      if (open.last >= psn) break;
      if (this.complete(open, row)) done++;
      this.firstOpen++;
    }
    return done;
  }

  private complete(open: OpenMessage, row: PacketRow): boolean {
    if (open.message.status !== 'open') return false;
    open.message.status = 'acknowledged';
    open.message.doneT = row.t;
    open.message.decidedBy = row.index;
    return true;
  }
}

const RANK: MessageKind[] = ['SEND', 'RDMA WRITE'];

/** Replaces a plain SEND or WRITE by the more precise kind that its last packet names. */
function laterKind(known: MessageKind, last: MessageKind): MessageKind {
  return RANK.includes(known) && last.startsWith(known) ? last : known;
}
