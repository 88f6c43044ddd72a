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
  firmware: string;
  nodeGuid: bigint;
  vendorId: number;
  vendorPartId: number;
  hwVersion: number;
  maxMrSize: bigint;
  pageSizeCap: bigint;
  maxQp: number;
  maxQpWr: number;
  maxSge: number;
  maxCq: number;
  maxCqe: number;
  maxMr: number;
  maxPd: number;
  maxQpRdAtom: number;
  maxQpInitRdAtom: number;
  /** `enum ibv_atomic_cap`. */
  atomic: number;
  maxSrq: number;
  maxSrqWr: number;
  maxSrqSge: number;
  maxAh: number;
  maxMw: number;
  maxMcastGroups: number;
  /** `enum ibv_device_cap_flags`. */
  capFlags: number;
  ports: number;
}

export interface NativePortAttr {
  state: number;
  maxMtu: number;
  activeMtu: number;
  gidTableLength: number;
  maxMessageSize: number;
  lid: number;
  linkLayer: number;
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
