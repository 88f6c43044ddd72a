/** Recorded ladders of one message, as `npm run ladder-samples` writes them. */
import type { Link } from '@verbslab/protocol';
import { ladderOf, type Ladder } from './ladder';

/** Times in units of 0.1 µs, from the first packet. −1: lost. */
export interface FiledLadder {
  /** PSN, sent, arrived. */
  packets: [psn: number, sent: number, arrived: number][];
  /** 1 for a NAK, PSN, sent, arrived. */
  answers: [nak: 0 | 1, psn: number, sent: number, arrived: number][];
  /** Packets sent again and packets dropped, as the client’s device counted them. */
  counted: [again: number, dropped: number];
}

export interface LadderFile {
  /** Day of the recording. */
  at: string;
  provider: string;
  link: Link | null;
  /** ACK timeout of the QP. */
  timeoutMs: number;
  mtu: number;
  /** Bytes of the message, and of each of its packets with all headers from IP on. */
  message: number;
  wire: number[];
  /** By what was lost. */
  ladders: Record<string, FiledLadder>;
}

const NS = 100;
const timeOf = (filed: number): number | null => (filed < 0 ? null : filed * NS);

export const readLadder = ({ packets, answers }: FiledLadder, wire: readonly number[]): Ladder =>
  ladderOf(
    packets.map(([psn, sent, arrived]) => ({
      ...{ psn, sent: sent * NS, arrived: timeOf(arrived), bytes: wire[psn]! },
    })),
    answers.map(([nak, psn, sent, arrived]) => ({
      kind: nak === 1 ? 'nak' : 'ack',
      psn,
      sent: sent * NS,
      arrived: timeOf(arrived),
    })),
  );

export const filedTime = (ns: number | null): number => (ns === null ? -1 : Math.round(ns / NS));
