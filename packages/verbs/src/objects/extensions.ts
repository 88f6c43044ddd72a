import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONGESTIONS, lookupWcStatus, RECOVERIES } from '@verbslab/protocol';
import * as check from '../base/check.js';
import type { Context } from './context.js';
import type { Cq } from './cq.js';
import { sendOpcodeName } from './enums.js';
import { binding, type NativeExtensions } from '../native/binding.js';
import type { Qp } from './qp.js';
import type { Srq } from './srq.js';
import type {
  EngineCpu,
  FaultAction,
  FaultRates,
  FaultReport,
  FaultRule,
  Shaping,
  Link,
  PinnedMemory,
  QpPolicy,
  QpPolicyState,
  QueueUse,
  TapOptions,
  TapPacket,
  WrStamp,
} from './types.js';

const ACTIONS: readonly FaultAction[] = ['drop', 'duplicate', 'reorder', 'delay', 'corrupt', 'mark'];
const MATCH = { qpn: 1, psn: 2, opcode: 4, iter: 8 } as const;
const RECORD_HEADER = 24;
/** `enum uroce_link`. */
const LINK = { udp: 0, shm: 1, auto: 2 } as const;
const PKT = { badIcrc: 1, drop: 2, duplicate: 4, late: 8, corrupt: 16, mark: 32 } as const;

function shapeOf(shaping: Shaping): Required<Shaping> {
  const number = (param: keyof Shaping, max: number): number =>
    check.integer('uroce_set_faults', `shaping.${param}`, shaping[param] ?? 0, 0, max);
  const delayUs = number('delayUs', 0xffff_ffff);
  return {
    delayUs,
    jitterUs: number('jitterUs', delayUs),
    rateBps: number('rateBps', Number.MAX_SAFE_INTEGER),
    limit: number('limit', 0xffff_ffff),
  };
}

/** Faults in the packets that a device sends. If empty, there are no faults. */
export interface InjectedFaults {
  /** Probabilities of random faults. */
  rates?: FaultRates;
  /** Rules that come before the random faults. The first rule that matches a packet decides. */
  rules?: readonly FaultRule[];
  /** Delay and rate of the link. */
  shaping?: Shaping;
}

function nativeFaults(faults: InjectedFaults): Parameters<NativeExtensions['setFaults']> {
  const call = 'uroce_set_faults';
  const { rates, rules = [], shaping } = faults;
  const ppm = (param: keyof FaultRates): number =>
    Math.round(1e6 * check.real(call, `rates.${param}`, rates?.[param] ?? 0, 0, 1));
  const markPpm = ppm('mark');
  return [
    rates === undefined
      ? null
      : {
          dropPpm: ppm('drop'),
          duplicatePpm: ppm('duplicate'),
          reorderPpm: ppm('reorder'),
          delayPpm: ppm('delay'),
          corruptPpm: ppm('corrupt'),
          delayUs: check.integer(call, 'rates.delayUs', rates.delayUs ?? 0, 0, 0xffff_ffff),
          seed: check.u64(call, 'rates.seed', rates.seed ?? 0),
        },
    rules.map((rule, index) => {
      const number = (param: keyof FaultRule, max: number): number =>
        check.integer(call, `rules[${index}].${param}`, rule[param] ?? 0, 0, max);
      return {
        match: (['qpn', 'psn', 'opcode', 'iter'] as const).reduce(
          (bits, name) => (rule[name] === undefined ? bits : bits | MATCH[name]),
          0,
        ),
        qpn: number('qpn', 0xff_ffff),
        psn: number('psn', 0xff_ffff),
        iter: number('iter', 0xffff_ffff),
        opcode: number('opcode', 255),
        opcodeMask: number('opcodeMask', 255),
        action: 1 + ACTIONS.indexOf(check.oneOf(call, `rules[${index}].action`, rule.action, ACTIONS)),
        times: number('times', 0xffff_ffff),
        delayUs: number('delayUs', 0xffff_ffff),
      };
    }),
    shaping === undefined && markPpm === 0 ? null : { ...shapeOf(shaping ?? {}), markPpm },
  ];
}

/**
 * Bytes of these settings for a process under `verbslab exec`, which reads them from its feed
 * (native/uroce/ext/faults_bytes.h).
 *
 * @throws VerbsError EINVAL for a value out of range
 */
export function faultsBytes(faults: InjectedFaults): Uint8Array {
  return binding.faultsBytes(...nativeFaults(faults));
}

/**
 * Extensions of a device beyond verbs. A process has one engine: a query or setting applies to all contexts of the
 * device in this process.
 *
 * Every call throws VerbsError ENOSYS on a device that does not support it; check {@link Device.capabilities} first.
 */
export class Extensions {
  readonly #native: NativeExtensions;
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
    this.#native = new binding.Extensions(context.native);
  }

  /** CPU time of the device's engine so far. */
  cpu(): EngineCpu {
    return this.#native.cpu();
  }

  /** Counters under the names of rxe and mlx5; they never decrease. Kernel devices: the counters in sysfs. */
  counters(port = 1): Record<string, number> {
    const folders = this.#context.device.counterFolders(port);
    if (folders.length === 0) return this.#native.counters();
    const found = folders.flatMap((folder) =>
      readdirSync(folder)
        // Milliseconds for which the kernel keeps a value before it asks the driver again.
        .filter((name) => name !== 'lifespan')
        .map((name) => [name, Number(readFileSync(join(folder, name), 'utf8'))] as const),
    );
    // A port without performance management says “N/A (no PMA)”.
    return Object.fromEntries(found.filter(([, value]) => Number.isFinite(value)));
  }

  /** Starts to capture packets. @throws VerbsError EBUSY if a capture is running */
  tapStart(options: TapOptions = {}): void {
    const call = 'uroce_tap_start';
    this.#native.tapStart(
      check.integer(call, 'maxPackets', options.maxPackets ?? 0, 0, 0xffff_ffff),
      check.integer(call, 'maxBytes', options.maxBytes ?? 0, 0, Number.MAX_SAFE_INTEGER),
      check.integer(call, 'snapLength', options.snapLength ?? 0, 0, 0xffff_ffff),
      check.oneOf(call, 'mode', options.mode ?? 'ring', ['ring', 'keep'] as const) === 'keep' ? 1 : 0,
    );
  }

  /**
   * Takes captured packets, oldest first; possible until the next start.
   *
   * @param maxBytes most bytes of records. Default 1 MiB
   * @returns the packets, and the number lost since the start
   */
  tapRead(maxBytes = 1 << 20): { packets: TapPacket[]; dropped: number } {
    check.integer('uroce_tap_read', 'maxBytes', maxBytes, 4096, 1 << 30);
    const { records, dropped } = this.#native.tapRead(maxBytes);
    return { packets: parseTap(records), dropped };
  }

  /** Ends the capture. Captured packets can still be read. */
  tapStop(): void {
    this.#native.tapStop();
  }

  /** Writes every packet of this process to a pcapng file until {@link pcapClose}. */
  pcapOpen(path: string): void {
    this.#native.pcapOpen(check.text('uroce_pcapng_open', 'path', path));
  }
  /** Ends the file. @throws VerbsError EIO or ENOSPC if a write failed */
  pcapClose(): void {
    this.#native.pcapClose();
  }

  /** Replaces all fault rules, rates and the shape of the link at once. Without arguments, there are no faults. */
  setFaults(faults: InjectedFaults = {}): void {
    this.#native.setFaults(...nativeFaults(faults));
  }

  /** Statistics of the fault injector since the last {@link setFaults}. */
  faults(): FaultReport {
    return this.#native.queryFaults();
  }

  /** Stamps the steps of work requests posted from now on. @param every stamp one in every N requests */
  stampsStart(options: { maxRecords?: number; every?: number } = {}): void {
    const call = 'uroce_stamps_start';
    this.#native.stampsStart(
      check.integer(call, 'maxRecords', options.maxRecords ?? 0, 0, 1 << 24),
      check.integer(call, 'every', options.every ?? 1, 1, 0xffff_ffff),
    );
  }

  /** Takes finished stamps, oldest first. */
  stampsRead(max = 4096): { stamps: WrStamp[]; dropped: number } {
    check.integer('uroce_stamps_read', 'max', max, 1, 1 << 20);
    const { stamps, dropped } = this.#native.stampsRead(max);
    return {
      stamps: stamps.map(({ opcode, status, byteLength, ...times }) => ({
        ...times,
        byteLength,
        opcode: sendOpcodeName(opcode),
        status: lookupWcStatus(status).name,
      })),
      dropped,
    };
  }

  /** Ends the stamping. Recorded stamps can still be read. */
  stampsStop(): void {
    this.#native.stampsStop();
  }

  /** Pinned registered memory. */
  pinned(): PinnedMemory {
    const { memlockLimit, ...rest } = this.#native.pinned();
    return { ...rest, memlockLimit: memlockLimit < 0 ? null : memlockLimit };
  }

  /**
   * Chooses the link of a queue pair's packets, before RTR. Without this call, it is the process's link (`UROCE_LINK`).
   *
   * @param link `auto`: shared memory to processes of this host that accept it, unless this process was started with
   *   `UROCE_LINK=udp`; sockets to all others
   */
  setQpLink(qp: Qp, link: 'udp' | 'auto'): void {
    const call = 'uroce_set_qp_link';
    this.#native.setQpLink(qp.native, LINK[check.oneOf(call, 'link', link, ['udp', 'auto'] as const)]);
  }

  /**
   * Current link of a connected RC or UC queue pair's packets; `null` while the other process has not answered.
   *
   * @throws VerbsError ENOTCONN before the queue pair has an address, EINVAL for a UD queue pair
   */
  qpLink(qp: Qp): Link | null {
    const link = this.#native.qpLink(qp.native);
    return link === LINK.shm ? 'shm' : link === LINK.udp ? 'udp' : null;
  }

  /**
   * Sends a packet unchanged to the peer of a connected RC or UC queue pair, over its link. The queue pair is not aware
   * of it: its PSN and counters do not change, and no fault applies.
   *
   * @param packet from the BTH to the ICRC, which is not filled in
   * @throws VerbsError ENOTCONN before the queue pair has an address, EAGAIN while the link has no room, EINVAL for a
   *   UD queue pair and for a length that no packet has
   */
  sendPacket(qp: Qp, packet: Uint8Array): void {
    this.#native.sendPacket(qp.native, packet);
  }

  /**
   * Chooses recovery and congestion control of an RC queue pair in RESET or INIT. Without this call, they are the
   * process's (`UROCE_RECOVERY`, `UROCE_CONGESTION`, `UROCE_LINE_RATE`, `UROCE_ACK_EVERY`, `UROCE_ACK_DELAY`).
   *
   * @throws VerbsError EINVAL for another type or state, and for a value out of range
   */
  setPolicy(
    qp: Qp,
    { recovery = 'go-back-n', congestion = 'none', lineRate = 0, ackEvery = 0, ackDelayNs = 0 }: QpPolicy,
  ): void {
    const call = 'uroce_set_qp_policy';
    this.#native.setQpPolicy(
      qp.native,
      RECOVERIES.indexOf(check.oneOf(call, 'recovery', recovery, RECOVERIES)),
      CONGESTIONS.indexOf(check.oneOf(call, 'congestion', congestion, CONGESTIONS)),
      check.integer(call, 'lineRate', lineRate, 0, Number.MAX_SAFE_INTEGER),
      check.integer(call, 'ackEvery', ackEvery, 0, 1_000_000),
      check.integer(call, 'ackDelayNs', ackDelayNs, 0, 1_000_000_000),
    );
  }

  /** Policy of a queue pair, and what its law allows now. */
  policy(qp: Qp): QpPolicyState {
    const { recovery, recoveryInEffect, congestion, ...state } = this.#native.qpPolicy(qp.native);
    return {
      ...state,
      recovery: RECOVERIES[recovery]!,
      recoveryInEffect: RECOVERIES[recoveryInEffect]!,
      congestion: CONGESTIONS[congestion]!,
    };
  }

  /** Occupancy of a queue pair's send and receive queue. With an SRQ, its own receive queue has no entries. */
  qpQueues(qp: Qp): { send: QueueUse; recv: QueueUse } {
    return this.#native.qpQueues(qp.native);
  }

  /** Receives of a shared receive queue that no message has taken. */
  srqQueue(srq: Srq): QueueUse {
    return this.#native.srqQueue(srq.native);
  }

  /** Completions that were not polled. */
  cqQueue(cq: Cq): QueueUse {
    return this.#native.cqQueue(cq.native);
  }
}

/**
 * Parses records in the layout of `struct uroce_tap_record` of uroce.h, in host order (all supported machines are
 * little-endian).
 */
function parseTap(records: Uint8Array): TapPacket[] {
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  const packets: TapPacket[] = [];
  for (let at = 0; at + RECORD_HEADER <= records.byteLength;) {
    const captured = view.getUint32(at + 16, true);
    const flags = view.getUint8(at + 21);
    packets.push({
      timeNs: view.getBigUint64(at, true),
      seq: view.getUint32(at + 8, true),
      originalLength: view.getUint32(at + 12, true),
      direction: view.getUint8(at + 20) === 1 ? 'tx' : 'rx',
      badIcrc: (flags & PKT.badIcrc) !== 0,
      fault:
        (['drop', 'duplicate', 'late', 'corrupt', 'mark'] as const).find(
          (name) => (flags & PKT[name]) !== 0,
        ) ?? 'none',
      bytes: records.subarray(at + RECORD_HEADER, at + RECORD_HEADER + captured),
    });
    at += RECORD_HEADER + ((captured + 7) & ~7);
  }
  return packets;
}
