/** Completion channels, completion queues and their entries. */

/** A completion channel. While a caller watches, a dedicated thread sleeps on the channel's descriptor. */
export interface NativeCompChannel {
  close(): void;
  readonly closed: boolean;
  readonly children: number;
  readonly fd: number;
  /** Calls back with the tokens of the CQs that had events: one call per batch, with events already acknowledged. */
  watch(callback: (tokens: number[]) => void): void;
  /** Sets whether watching keeps the event loop alive. Initially off. */
  setRef(on: boolean): void;
}

export interface NativeWc {
  /** Work request id as posted. */
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
  /** Immediate data in host order. */
  immediate: number;
  /** Key that was invalidated; valid if bit 3 (WITH_INV) of `flags` is set. */
  invalidatedRkey: number;
  slid: number;
  sl: number;
  /** InfiniBand: low bits of the local address that received the datagram. */
  pathBits: number;
}

export interface NativeCq {
  close(): void;
  readonly closed: boolean;
  readonly children: number;
  /** Number of entries that the device provides. */
  readonly depth: number;
  /** Name of the CQ in a channel's callbacks. */
  readonly token: number;
  /** Takes completions. EBUSY while a loop has the CQ. */
  poll(max: number): NativeWc[];
  reqNotify(solicitedOnly: boolean): void;
  /** Resizes the CQ; `depth` then has the new value. EBUSY while a loop has the CQ. */
  resize(depth: number): void;
}
