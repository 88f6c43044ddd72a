import * as check from '../base/check.js';
import { parseGid } from '../base/gid.js';
import type { NativeAddress, NativeAh } from '../native/binding.js';
import type { Pd } from './pd.js';
import type { Address } from './types.js';

/** An address handle: the path to a port, for datagrams. Made by {@link Pd.createAh} or {@link Pd.createAhFrom}. */
export class Ah {
  readonly #native: NativeAh;

  /** @internal */
  constructor(
    /** Protection domain of the handle. */
    readonly pd: Pd,
    native: NativeAh,
  ) {
    this.#native = native;
  }

  /** @internal */
  get native(): NativeAh {
    return this.#native;
  }
  /** True after {@link close}. */
  get closed(): boolean {
    return this.#native.closed;
  }

  /** `ibv_destroy_ah`. Datagrams posted with the handle must have completed. */
  close(): void {
    this.#native.close();
  }
  [Symbol.dispose](): void {
    this.close();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve().then(() => {
      this.close();
    });
  }
}

/** `struct ibv_ah_attr` with its defaults. @throws VerbsError EINVAL for a value out of range */
export function toAddress(call: string, address: Address): NativeAddress {
  const { gid, lid, gidIndex, hopLimit, trafficClass, flowLabel, serviceLevel, port } = address;
  return {
    ...(gid === undefined ? {} : { gid: parseGid(gid, call) }),
    gidIndex: check.integer(call, 'address.gidIndex', gidIndex ?? 0, 0, 0xff),
    dlid: check.integer(call, 'address.lid', lid ?? 0, 0, 0xffff),
    hopLimit: check.integer(call, 'address.hopLimit', hopLimit ?? 64, 0, 255),
    trafficClass: check.integer(call, 'address.trafficClass', trafficClass ?? 0, 0, 255),
    flowLabel: check.integer(call, 'address.flowLabel', flowLabel ?? 0, 0, 0xf_ffff),
    sl: check.integer(call, 'address.serviceLevel', serviceLevel ?? 0, 0, 15),
    port: check.integer(call, 'address.port', port ?? 1, 1, 255),
  };
}
