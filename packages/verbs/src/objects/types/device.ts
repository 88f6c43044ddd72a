/** Devices, their ports and GIDs, and what happens to them. */
import type { NativeDeviceAttr, NativePortAttr } from '../../native/device.js';
import type { Cq } from '../cq.js';
import type { Srq } from '../srq.js';

/** What makes the device work: a NIC, the kernel (rxe, siw), or a library in this process. */
export type ProviderClass = 'hardware' | 'kernel' | 'user-space';

/** Which verbs library a device came from: the machine's `libibverbs.so.1`, or the device embedded in this package. */
export type Provider = 'system' | 'embedded';

/** What a device can do beyond verbs. Found by looking for the extension calls in its library. */
export interface Capabilities {
  /** Packets of this process can be captured ({@link Extensions.tapStart}). */
  tap: boolean;
  /** The device writes a pcapng file itself ({@link Extensions.pcapOpen}). */
  pcap: boolean;
  /** Faults can be injected ({@link Extensions.setFaults}). */
  faults: boolean;
  /** The life of a work request is time-stamped ({@link Extensions.stampsStart}). */
  stamps: boolean;
  /** CPU time spent on NIC work is known ({@link Extensions.cpu}). */
  engineCpu: boolean;
  /** Counters can be read ({@link Extensions.counters}); kernel devices have them in sysfs. */
  counters: boolean;
  /** Pinned and unpinned bytes of memory regions are known ({@link Extensions.pinned}). */
  pinned: boolean;
  /** Each queue pair may have a link of its own ({@link Extensions.setQpLink}). */
  link: boolean;
  /** Packets can be sent over a longer and slower link ({@link Extensions.setFaults}). */
  shaping: boolean;
  /** Packets can be sent byte by byte as given ({@link Extensions.sendPacket}). */
  sendPacket: boolean;
  /** Packets can be marked as congested (ECN), and marks are answered with CNPs. */
  marks: boolean;
}

/** `struct ibv_device_attr`, the part that people use. */
export interface DeviceAttributes extends Omit<NativeDeviceAttr, 'atomic' | 'capFlags'> {
  /** Scope of atomicity: none, this device, all devices. */
  atomic: 'none' | 'hca' | 'global';
  /** Kinds of windows that the device has: type 1 is bound by a call, type 2 by a work request. */
  windowTypes: readonly (1 | 2)[];
}

/** Logical state of a port (`enum ibv_port_state`). */
export type PortState = 'NOP' | 'DOWN' | 'INIT' | 'ARMED' | 'ACTIVE' | 'ACTIVE_DEFER';

/** `struct ibv_port_attr`, the part that people use. */
export interface PortAttributes extends Omit<
  NativePortAttr,
  'state' | 'activeMtu' | 'maxMtu' | 'linkLayer' | 'activeSpeed'
> {
  /** Number of the port, from 1. */
  port: number;
  /** ACTIVE when it carries traffic. */
  state: PortState;
  /** Path MTU the link carries, bytes (256 to 4096). */
  activeMtu: number;
  /** Largest path MTU that the port could carry. */
  maxMtu: number;
  /** What the port is plugged into. */
  linkLayer: 'unspecified' | 'infiniband' | 'ethernet';
  /** Gb/s a lane; 0 when unknown. */
  activeSpeedGbps: number;
}

/** InfiniBand, RoCE over Ethernet frames, or RoCE over UDP. */
export type GidType = 'IB' | 'RoCEv1' | 'RoCEv2';

/** One entry of a port's GID table. Empty entries are left out of lists. */
export interface GidEntry {
  /** Place in the port's table. */
  index: number;
  /** IPv6 notation, `::ffff:192.0.2.1` for an IPv4 address. */
  gid: string;
  /** The address that a person would write: `192.0.2.1` or `fe80::1`. */
  address: string;
  /** What the GID is used for. */
  type: GidType;
}

/** An asynchronous event of a device (`enum ibv_event_type`). */
export interface AsyncEvent {
  /** What happened. */
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
  /** The QP it happened to, when it is about one. */
  qpn?: number;
  /** The CQ it happened to (CQ_ERR). Undefined when it is no longer open. */
  cq?: Cq | undefined;
  /** The shared receive queue it happened to (SRQ_ERR, SRQ_LIMIT_REACHED). Undefined when it is no longer open. */
  srq?: Srq | undefined;
  /** The port it happened to, when it is about one. */
  port?: number;
}
