/** What only some devices can do. */
import type { NativeStamp } from '../../native/extensions.js';
import type { SendOpcode, WcStatus } from './work.js';

export type { EngineCpu, FaultReport } from '../../native/extensions.js';

/** Limits of a capture. 0 or absent: the device's default. */
export interface TapOptions {
  /** Packets kept. */
  maxPackets?: number;
  /** Memory for packets. */
  maxBytes?: number;
  /** Bytes kept of a packet. */
  snapLength?: number;
  /** When full: `ring` drops the oldest packet, `keep` the newest. Default `ring`. */
  mode?: 'ring' | 'keep';
}

/** A captured packet, from its IP header to the last byte of its ICRC. */
export interface TapPacket {
  /** CLOCK_MONOTONIC. */
  timeNs: bigint;
  /** Counts the packets that the tap saw, dropped ones too. */
  seq: number;
  /** Sent or received by this process. */
  direction: 'rx' | 'tx';
  /** Bytes of the packet; more than `bytes` holds when it was cut. */
  originalLength: number;
  /** Received with a wrong ICRC. */
  badIcrc: boolean;
  /** What the fault injector did to it. */
  fault: 'none' | 'drop' | 'duplicate' | 'late' | 'corrupt' | 'mark';
  /** From the IP header on. */
  bytes: Uint8Array;
}

/**
 * What the injector does to a packet. `corrupt` flips a bit behind the ICRC's back; `mark` sets both ECN bits, as a
 * congested switch does.
 */
export type FaultAction = 'drop' | 'duplicate' | 'reorder' | 'delay' | 'corrupt' | 'mark';

/** Acts on packets that this process sends. The first rule that matches decides. */
export interface FaultRule {
  /** What to do to a packet that matches. */
  action: FaultAction;
  /** Destination QPN. */
  qpn?: number;
  /** Packet sequence number. */
  psn?: number;
  /** BTH opcode, compared under {@link opcodeMask}. */
  opcode?: number;
  /** Default 0xff. */
  opcodeMask?: number;
  /** Only the n-th packet (from 1) that matches the rest. */
  iter?: number;
  /** Acts on the first n packets that match; 0 or absent: always. */
  times?: number;
  /** For `delay`. */
  delayUs?: number;
}

/** Random faults, each a probability from 0 to 1. */
export interface FaultRates {
  /** Lost. */
  drop?: number;
  /** Sent twice. */
  duplicate?: number;
  /** Swapped with the next one. */
  reorder?: number;
  /** Held back for `delayUs`. */
  delay?: number;
  /** One bit flipped. */
  corrupt?: number;
  /** Sent with ECN 3, congestion experienced. */
  mark?: number;
  /** Microseconds that `delay` holds a packet back. */
  delayUs?: number;
  /** 0 or absent: drawn at random; {@link FaultReport.seed} has it. */
  seed?: bigint | number;
}

/** A longer and slower link, in the terms of tc-netem(8): for all packets that rates and rules leave. */
export interface Shaping {
  /** Microseconds that each packet waits. */
  delayUs?: number;
  /** Up to so many microseconds more or less, evenly drawn; at most `delayUs`. Packets overtake each other. */
  jitterUs?: number;
  /** Bits per second, IP header included. 0 or absent: no limit. */
  rateBps?: number;
  /** Packets that may wait; more are lost and count as dropped. Default 1000. */
  limit?: number;
}

/** The life of a send work request, on the clock of {@link TapPacket.timeNs}. */
export interface WrStamp extends Omit<NativeStamp, 'opcode' | 'status'> {
  /** Operation. */
  opcode: SendOpcode | 'UNKNOWN';
  /** How it completed. */
  status: WcStatus;
}

/** Registered memory of this process, in whole pages; overlapping regions count each. */
export interface PinnedMemory {
  /** Locked in RAM. */
  pinnedBytes: number;
  /** Registered all the same, but not locked: RLIMIT_MEMLOCK was used up. */
  unpinnedBytes: number;
  /** Memory regions. */
  regions: number;
  /** RLIMIT_MEMLOCK, bytes; `null`: no limit. */
  memlockLimit: number | null;
}

/**
 * How packets reach a process of this host: `udp` through the kernel's sockets, as everywhere else; `shm` through rings
 * in shared memory, with no system call on their way.
 */
export type Link = 'udp' | 'shm';
