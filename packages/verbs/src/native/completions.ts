/** Completion channels, completion queues and their entries. */

/** A completion channel. A thread of its own sleeps on its descriptor while a caller watches. */
export interface NativeCompChannel {
  close(): void;
  readonly closed: boolean;
  readonly children: number;
  readonly fd: number;
  /** Calls back with the tokens of the CQs that had events: one call a batch, events acknowledged already. */
  watch(callback: (tokens: number[]) => void): void;
  /** Whether the watching keeps the event loop alive. It does not at first. */
  setRef(on: boolean): void;
}

export interface NativeWc {
  /** As posted. */
  wrId: bigint;
  status: number;
  opcode: number;
  /** The provider's own code for a failure. */
  vendorError: number;
  /** Bytes transferred; set for RECV, READ and atomics. */
  byteLength: number;
  /** QP that the request was posted to. */
  qpn: number;
  /** Source QPN (UD only). */
  sourceQpn: number;
  /** IBV_WC_* flags; bit 1 (WITH_IMM) shows that `immediate` is valid. */
  flags: number;
  /** Host order. */
  immediate: number;
  /** Valid when flag 3 (WITH_INV) is set. */
  invalidatedRkey: number;
  slid: number;
  sl: number;
  /** InfiniBand: low bits of the local address that the datagram came to. */
  pathBits: number;
}

export interface NativeCq {
  close(): void;
  readonly closed: boolean;
  readonly children: number;
  /** Entries that the device gave. */
  readonly depth: number;
  /** What a channel calls back with. */
  readonly token: number;
  /** EBUSY while a loop has the CQ. */
  poll(max: number): NativeWc[];
  reqNotify(solicitedOnly: boolean): void;
  /** `depth` is the new one afterward. EBUSY while a loop has the CQ. */
  resize(depth: number): void;
}
