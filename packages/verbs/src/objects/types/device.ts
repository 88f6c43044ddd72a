/** Devices, their ports and GIDs, and their events. */
import type { NativeDeviceAttr, NativePortAttr } from '../../native/device.js';
import type { Cq } from '../cq.js';
import type { Srq } from '../srq.js';

/** Provider of the NIC's work: a NIC, the kernel (rxe, siw), or a library in this process. */
export type ProviderClass = 'hardware' | 'kernel' | 'user-space';

/** Verbs library of a device: the machine's `libibverbs.so.1`, or the device embedded in this package. */
export type Provider = 'system' | 'embedded';

/** Extensions of a device beyond verbs, found by the extension calls in its library. */
export interface Capabilities {
  /** Packets of this process can be captured ({@link Extensions.tapStart}). */
  tap: boolean;
  /** The device writes a pcapng file itself ({@link Extensions.pcapOpen}). */
  pcap: boolean;
  /** Faults can be injected ({@link Extensions.setFaults}). */
  faults: boolean;
  /** Steps of work requests can be time-stamped ({@link Extensions.stampsStart}). */
  stamps: boolean;
  /** CPU time spent on NIC work is known ({@link Extensions.cpu}). */
  engineCpu: boolean;
  /** Counters can be read ({@link Extensions.counters}). Kernel devices have them in sysfs. */
  counters: boolean;
  /** Pinned and unpinned bytes of memory regions are known ({@link Extensions.pinned}). */
  pinned: boolean;
  /** Each queue pair can have its own link ({@link Extensions.setQpLink}). */
  link: boolean;
  /** Delay and rate of the link can be set ({@link Extensions.setFaults}). */
  shaping: boolean;
  /** Packets can be sent unchanged, byte by byte ({@link Extensions.sendPacket}). */
  sendPacket: boolean;
  /** Packets can be marked as congested (ECN), and the receiver answers marks with CNPs. */
  marks: boolean;
  /** The occupancy of queues is known ({@link Extensions.qpQueues}). */
  queues: boolean;
  /** Recovery and congestion control of a queue pair can be chosen and observed ({@link Extensions.setPolicy}). */
  policies: boolean;
}

/** Commonly used part of `struct ibv_device_attr`. */
export interface DeviceAttributes extends Omit<NativeDeviceAttr, 'atomic' | 'capFlags'> {
  /** Scope of atomicity: none, this device, all devices. */
  atomic: 'none' | 'hca' | 'global';
  /** Window types of the device: type 1 is bound by a call, type 2 by a work request. */
  windowTypes: readonly (1 | 2)[];
}

/** Logical state of a port (`enum ibv_port_state`). */
export type PortState = 'NOP' | 'DOWN' | 'INIT' | 'ARMED' | 'ACTIVE' | 'ACTIVE_DEFER';

/** Commonly used part of `struct ibv_port_attr`. */
export interface PortAttributes extends Omit<
  NativePortAttr,
  'state' | 'activeMtu' | 'maxMtu' | 'linkLayer' | 'activeSpeed'
> {
  /** Number of the port, from 1. */
  port: number;
  /** State of the port: ACTIVE if it carries traffic. */
  state: PortState;
  /** Active path MTU, bytes (256 to 4096). */
  activeMtu: number;
  /** Largest path MTU of the port, bytes. */
  maxMtu: number;
  /** Link layer of the port. */
  linkLayer: 'unspecified' | 'infiniband' | 'ethernet';
  /** Speed of a lane, Gb/s; 0 if unknown. */
  activeSpeedGbps: number;
}

/** InfiniBand, RoCE over Ethernet frames, or RoCE over UDP. */
export type GidType = 'IB' | 'RoCEv1' | 'RoCEv2';

/** An entry of a port's GID table. Lists leave out empty entries. */
export interface GidEntry {
  /** Index in the port's table. */
  index: number;
  /** IPv6 notation, `::ffff:192.0.2.1` for an IPv4 address. */
  gid: string;
  /** Address in its usual notation: `192.0.2.1` or `fe80::1`. */
  address: string;
  /** Protocol of the GID. */
  type: GidType;
}

/** An asynchronous event of a device (`enum ibv_event_type`). */
export interface AsyncEvent {
  /** Type of the event. */
  type:
    | 'CQ_ERR'
    | 'QP_FATAL'
    | 'QP_REQ_ERR'
    | 'QP_ACCESS_ERR'
    | 'COMM_EST'
    | 'SQ_DRAINED'
    | 'PATH_MIG'
    | 'PATH_MIG_ERR'
    | 'DEVICE_FATAL'
    | 'PORT_ACTIVE'
    | 'PORT_ERR'
    | 'LID_CHANGE'
    | 'PKEY_CHANGE'
    | 'SM_CHANGE'
    | 'SRQ_ERR'
    | 'SRQ_LIMIT_REACHED'
    | 'QP_LAST_WQE_REACHED'
    | 'CLIENT_REREGISTER'
    | 'GID_CHANGE'
    | 'UNKNOWN';
  /** Number of the QP, for an event of a QP. */
  qpn?: number;
  /** CQ of the event (CQ_ERR). Undefined if it is no longer open. */
  cq?: Cq | undefined;
  /** Shared receive queue of the event (SRQ_ERR, SRQ_LIMIT_REACHED). Undefined if it is no longer open. */
  srq?: Srq | undefined;
  /** Number of the port, for an event of a port. */
  port?: number;
}
