/** Libraries, devices, and objects made from a device: context, protection domain, memory region, and others. */

/** A verbs library loaded with dlopen. It stays loaded until the process ends. */
export interface NativeLibrary {
  readonly path: string;
  /** Calls `ibv_get_device_list`. Throws its errno: ENOSYS if the machine has no RDMA at all. */
  devices(): NativeDevice[];
}

/** An entry of the device list. The library keeps the list valid until the last entry is dropped. */
export interface NativeDevice {
  readonly name: string;
  readonly guid: bigint;
  /** `enum ibv_node_type`. */
  readonly nodeType: number;
  /** `enum ibv_transport_type`. */
  readonly transport: number;
  /** Folder of the device in sysfs; empty for a device without a kernel part. */
  readonly sysfsPath: string;
  /** Extension calls in the device's library, by names of `Capabilities`. */
  readonly extensions: string[];
}

export interface NativeDeviceAttr {
  /** Firmware version in the provider's format. */
  firmware: string;
  /** GUID of the device. */
  nodeGuid: bigint;
  /** PCI vendor id; 0 for software. */
  vendorId: number;
  /** PCI device id; 0 for software. */
  vendorPartId: number;
  /** Hardware revision. */
  hwVersion: number;
  /** Size of the largest memory region, bytes. */
  maxMrSize: bigint;
  /** Page sizes that the device can map, one bit per size. */
  pageSizeCap: bigint;
  /** Most queue pairs. */
  maxQp: number;
  /** Most work requests per queue. */
  maxQpWr: number;
  /** Most scatter/gather entries per work request. */
  maxSge: number;
  /** Most completion queues. */
  maxCq: number;
  /** Most entries per completion queue. */
  maxCqe: number;
  /** Most memory regions. */
  maxMr: number;
  /** Most protection domains. */
  maxPd: number;
  /** Most READs and atomics that a QP accepts at a time as responder. */
  maxQpRdAtom: number;
  /** Most outstanding READs and atomics of a QP as initiator. */
  maxQpInitRdAtom: number;
  /** `enum ibv_atomic_cap`. */
  atomic: number;
  /** Most shared receive queues; 0 if there are none. */
  maxSrq: number;
  /** Most work requests per shared receive queue. */
  maxSrqWr: number;
  /** Most scatter/gather entries per work request of a shared receive queue. */
  maxSrqSge: number;
  /** Most address handles; 0 if the provider sets no limit. */
  maxAh: number;
  /** Most memory windows; 0 if there are none. */
  maxMw: number;
  /** Most multicast groups; 0 if there are none, or no limit. */
  maxMcastGroups: number;
  /** `enum ibv_device_cap_flags`. */
  capFlags: number;
  /** Number of physical ports. */
  ports: number;
}

export interface NativePortAttr {
  state: number;
  /** `enum ibv_mtu`. */
  maxMtu: number;
  /** `enum ibv_mtu`. */
  activeMtu: number;
  /** Entries of the GID table, including empty ones. */
  gidTableLength: number;
  /** Size of the longest message, bytes. */
  maxMessageSize: number;
  /** InfiniBand local identifier; 0 on Ethernet. */
  lid: number;
  linkLayer: number;
  /** Number of lanes: 1, 2, 4, 8, 12; 0 if unknown. */
  activeWidth: number;
  activeSpeed: number;
}

/** An opened device: `ibv_open_device`. */
export interface NativeContext {
  close(): void;
  readonly closed: boolean;
  /** Open objects of all kinds that were made from the context. */
  readonly children: number;
  queryDevice(): NativeDeviceAttr;
  queryPort(port: number): NativePortAttr;
  /** Returns the GID: 16 bytes in network order. */
  queryGid(port: number, index: number): Uint8Array;
  /** Returns `enum ibv_gid_type_sysfs`, or -1 if the library does not report it. */
  queryGidType(port: number, index: number): number;
  queryPkey(port: number, index: number): number;
  /**
   * Calls back for every asynchronous event until the context is closed. `element` is the QPN, the port, or the token
   * of the CQ or SRQ; 0 if there is none.
   */
  watchEvents(callback: (type: number, element: number) => void): void;
  /** Sets whether watching keeps the event loop alive. Initially off. */
  setRef(on: boolean): void;
}

export interface NativePd {
  close(): void;
  readonly closed: boolean;
  readonly children: number;
  readonly handle: number;
}

/** A registered memory region. Memory that the addon allocated lives as long as the region or its ArrayBuffer. */
export interface NativeMr {
  close(): void;
  /** `ibv_rereg_mr`; null keeps a property. New memory detaches a buffer that the addon allocated. */
  rereg(pd: NativePd | null, memory: number | Uint8Array | null, access: number | null, huge: boolean): void;
  /** Calls mmap with MAP_FIXED on memory that the addon allocated. */
  replacePages(): void;
  readonly closed: boolean;
  readonly addr: bigint;
  readonly length: number;
  readonly lkey: number;
  readonly rkey: number;
  /** Memory of the region. `close()` detaches it if the addon allocated it. */
  readonly buffer: ArrayBuffer;
  readonly byteOffset: number;
}

/** A memory window. */
export interface NativeMw {
  close(): void;
  readonly closed: boolean;
  /** Key of the last bind that the device accepted. */
  readonly rkey: number;
}

/** An address handle. */
export interface NativeAh {
  close(): void;
  readonly closed: boolean;
}

/** `struct ibv_ah_attr`. */
export interface NativeAddress {
  /** GID, 16 bytes; absent if the address is not global. */
  gid?: Uint8Array;
  gidIndex: number;
  dlid: number;
  hopLimit: number;
  trafficClass: number;
  flowLabel: number;
  sl: number;
  port: number;
}
