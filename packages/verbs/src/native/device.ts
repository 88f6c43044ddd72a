/** Libraries, devices and what is made of a device alone: context, protection domain, memory region. */

/** A verbs library that was loaded with dlopen; it stays loaded until the process ends. */
export interface NativeLibrary {
  readonly path: string;
  /** `ibv_get_device_list`. Throws its errno: ENOSYS when the machine has no RDMA at all. */
  devices(): NativeDevice[];
}

/** One entry of the device list. Kept valid by the library until the last entry is dropped. */
export interface NativeDevice {
  readonly name: string;
  readonly guid: bigint;
  /** `enum ibv_node_type`. */
  readonly nodeType: number;
  /** `enum ibv_transport_type`. */
  readonly transport: number;
  /** Where sysfs describes it; empty for a device without kernel part. */
  readonly sysfsPath: string;
  /** Extension calls that the device's library has, by name of `Capabilities`. */
  readonly extensions: string[];
}

export interface NativeDeviceAttr {
  /** Firmware version as the provider words it. */
  firmware: string;
  /** GUID of the device. */
  nodeGuid: bigint;
  /** PCI vendor; 0 for software. */
  vendorId: number;
  /** PCI device; 0 for software. */
  vendorPartId: number;
  /** Hardware revision. */
  hwVersion: number;
  /** Bytes of the largest memory region. */
  maxMrSize: bigint;
  /** Page sizes that the device can map, one bit each. */
  pageSizeCap: bigint;
  /** Queue pairs. */
  maxQp: number;
  /** Work requests a queue. */
  maxQpWr: number;
  /** Scatter/gather entries a work request. */
  maxSge: number;
  /** Completion queues. */
  maxCq: number;
  /** Entries a completion queue. */
  maxCqe: number;
  /** Memory regions. */
  maxMr: number;
  /** Protection domains. */
  maxPd: number;
  /** READs and atomics that a QP can take as responder. */
  maxQpRdAtom: number;
  /** READs and atomics that a QP can have under way as initiator. */
  maxQpInitRdAtom: number;
  /** `enum ibv_atomic_cap`. */
  atomic: number;
  /** Shared receive queues; 0: none. */
  maxSrq: number;
  /** Work requests a shared receive queue. */
  maxSrqWr: number;
  /** Scatter/gather entries a work request of a shared receive queue. */
  maxSrqSge: number;
  /** Address handles; 0 where the provider sets no limit. */
  maxAh: number;
  /** Memory windows; 0: none. */
  maxMw: number;
  /** Multicast groups; 0: none, or no limit. */
  maxMcastGroups: number;
  /** `enum ibv_device_cap_flags`. */
  capFlags: number;
  /** Physical ports. */
  ports: number;
}

export interface NativePortAttr {
  state: number;
  /** `enum ibv_mtu`. */
  maxMtu: number;
  /** `enum ibv_mtu`. */
  activeMtu: number;
  /** Places in the GID table, empty ones too. */
  gidTableLength: number;
  /** Bytes of the longest message. */
  maxMessageSize: number;
  /** InfiniBand's local address; 0 on Ethernet. */
  lid: number;
  linkLayer: number;
  /** Lanes: 1, 2, 4, 8, 12; 0 when unknown. */
  activeWidth: number;
  activeSpeed: number;
}

/** An opened device: `ibv_open_device`. */
export interface NativeContext {
  close(): void;
  readonly closed: boolean;
  /** Objects that still hang on it, of all kinds. */
  readonly children: number;
  queryDevice(): NativeDeviceAttr;
  queryPort(port: number): NativePortAttr;
  /** 16 bytes in network order. */
  queryGid(port: number, index: number): Uint8Array;
  /** `enum ibv_gid_type_sysfs` or -1 when the library does not report it. */
  queryGidType(port: number, index: number): number;
  queryPkey(port: number, index: number): number;
  /** Calls back for every asynchronous event (type; qpn, port or the token of the CQ or SRQ; 0 when none) until the context is closed. */
  watchEvents(callback: (type: number, element: number) => void): void;
  /** Whether the watching keeps the event loop alive. It does not at first. */
  setRef(on: boolean): void;
}

export interface NativePd {
  close(): void;
  readonly closed: boolean;
  readonly children: number;
  readonly handle: number;
}

/** A registered region. Memory that the addon allocated lives as long as the region or its ArrayBuffer. */
export interface NativeMr {
  close(): void;
  /** `ibv_rereg_mr`; null leaves a thing as it is. Another memory detaches a buffer that the addon allocated. */
  rereg(pd: NativePd | null, memory: number | Uint8Array | null, access: number | null, huge: boolean): void;
  /** mmap with MAP_FIXED over memory that the addon allocated. */
  replacePages(): void;
  readonly closed: boolean;
  readonly addr: bigint;
  readonly length: number;
  readonly lkey: number;
  readonly rkey: number;
  /** Memory of the region. Detached by `close()` when the addon allocated it. */
  readonly buffer: ArrayBuffer;
  readonly byteOffset: number;
}

/** A memory window. */
export interface NativeMw {
  close(): void;
  readonly closed: boolean;
  /** As of the last bind that the device accepted. */
  readonly rkey: number;
}

/** An address handle. */
export interface NativeAh {
  close(): void;
  readonly closed: boolean;
}

/** `struct ibv_ah_attr`. */
export interface NativeAddress {
  /** 16 bytes; absent: not global. */
  gid?: Uint8Array;
  gidIndex: number;
  dlid: number;
  hopLimit: number;
  trafficClass: number;
  flowLabel: number;
  sl: number;
  port: number;
}
