/** Types of extensions that only some devices have. */
import type { CongestionName, RecoveryName } from '@verbslab/protocol';
import type { NativePolicyState, NativeStamp } from '../../native/extensions.js';
import type { SendOpcode, WcStatus } from './work.js';

export type { EngineCpu, FaultReport, QueueUse } from '../../native/extensions.js';

/** Limits of a capture. 0 or absent: the device's default. */
export interface TapOptions {
  /** Most packets that are kept. */
  maxPackets?: number;
  /** Memory for packets, bytes. */
  maxBytes?: number;
  /** Most bytes that are kept of a packet. */
  snapLength?: number;
  /** Behavior when full: `ring` drops the oldest packet, `keep` the newest. Default `ring`. */
  mode?: 'ring' | 'keep';
}

/** A captured packet, from its IP header to the last byte of its ICRC. */
export interface TapPacket {
  /** Time of capture, CLOCK_MONOTONIC ns. */
  timeNs: bigint;
  /** Number of the packet among all that the tap saw, including dropped ones. */
  seq: number;
  /** Direction: sent or received by this process. */
  direction: 'rx' | 'tx';
  /** Length of the packet, bytes; more than `bytes` holds if the packet was cut. */
  originalLength: number;
  /** True for a packet received with a wrong ICRC. */
  badIcrc: boolean;
  /** Fault that the injector applied. */
  fault: 'none' | 'drop' | 'duplicate' | 'late' | 'corrupt' | 'mark';
  /** Bytes from the IP header on. */
  bytes: Uint8Array;
}

/**
 * Fault that the injector applies to a packet. `corrupt` flips a bit without updating the ICRC; `mark` sets both ECN
 * bits, like a congested switch.
 */
export type FaultAction = 'drop' | 'duplicate' | 'reorder' | 'delay' | 'corrupt' | 'mark';

/** A rule for packets that this process sends. The first rule that matches decides. */
export interface FaultRule {
  /** Fault for packets that match. */
  action: FaultAction;
  /** Destination QPN. */
  qpn?: number;
  /** Packet sequence number. */
  psn?: number;
  /** BTH opcode, compared under {@link opcodeMask}. */
  opcode?: number;
  /** Mask of {@link opcode}. Default 0xff. */
  opcodeMask?: number;
  /** Number of the only packet (from 1) that is affected, among those that match the rest. */
  iter?: number;
  /** Number of matching packets that are affected, from the first on; 0 or absent: all. */
  times?: number;
  /** Microseconds of a `delay`. */
  delayUs?: number;
}

/** Random faults, each with a probability from 0 to 1. */
export interface FaultRates {
  /** Probability that a packet is lost. */
  drop?: number;
  /** Probability that a packet is sent twice. */
  duplicate?: number;
  /** Probability that a packet is swapped with the next one. */
  reorder?: number;
  /** Probability that a packet is delayed by `delayUs`. */
  delay?: number;
  /** Probability that a bit of a packet is flipped. */
  corrupt?: number;
  /** Probability that a packet is sent with ECN 3, congestion experienced. */
  mark?: number;
  /** Duration of a `delay`, µs. */
  delayUs?: number;
  /** Seed. 0 or absent: drawn at random; {@link FaultReport.seed} has it. */
  seed?: bigint | number;
}

/** Delay and rate of the link, as in tc-netem(8), for all packets that rates and rules leave. */
export interface Shaping {
  /** Delay of each packet, µs. */
  delayUs?: number;
  /**
   * Largest random deviation from the delay, µs, evenly distributed; at most `delayUs`. Packets may overtake each
   * other.
   */
  jitterUs?: number;
  /** Rate in bits per second, including the IP header. 0 or absent: no limit. */
  rateBps?: number;
  /** Most packets that may wait. Further packets are lost and count as dropped. Default 1000. */
  limit?: number;
}

/** Times of a send work request, on the clock of {@link TapPacket.timeNs}. */
export interface WrStamp extends Omit<NativeStamp, 'opcode' | 'status'> {
  /** Operation. */
  opcode: SendOpcode | 'UNKNOWN';
  /** Status of the completion. */
  status: WcStatus;
}

/** Registered memory of this process, in whole pages. Overlapping regions each count. */
export interface PinnedMemory {
  /** Bytes locked in RAM. */
  pinnedBytes: number;
  /** Registered bytes that are not locked, because RLIMIT_MEMLOCK was used up. */
  unpinnedBytes: number;
  /** Number of memory regions. */
  regions: number;
  /** RLIMIT_MEMLOCK, bytes; `null`: no limit. */
  memlockLimit: number | null;
}

/** Choice of recovery and congestion control for an RC queue pair. */
export interface QpPolicy {
  /** Recovery from loss. Go-back-0 needs the same at both ends; selective repeat is go-back-N unless both have it. Default `go-back-n`. */
  recovery?: RecoveryName;
  /** Congestion control. Default `none`: CNPs are only counted. */
  congestion?: CongestionName;
  /** Bits per second from which DCQCN and TIMELY start. 0 or absent: 10 Gb/s. */
  lineRate?: number;
  /** Packets after which it acknowledges as a receiver, asked or not. 0 or absent: 32, where the sender asks. */
  ackEvery?: number;
  /** Longest time that an ACK waits for a packet to leave with, ns. 0 or absent: 20 µs; 1: none. */
  ackDelayNs?: number;
}

/** Policy of a queue pair and what its law allows now. 0: the law has no such figure now. */
export interface QpPolicyState extends Omit<
  NativePolicyState,
  'recovery' | 'recoveryInEffect' | 'congestion'
> {
  /** Recovery from loss. */
  recovery: RecoveryName;
  /** Go-back-N in place of selective repeat until a packet of the peer has said that the peer repeats selectively too. */
  recoveryInEffect: RecoveryName;
  /** Congestion control. */
  congestion: CongestionName;
}

/**
 * Link of packets to a process of this host: `udp` uses the kernel's sockets, like to other hosts; `shm` uses rings in
 * shared memory, without a system call per packet.
 */
export type Link = 'udp' | 'shm';
