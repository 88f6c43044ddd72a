/** The path MTU for the MTU of an interface. Both are bytes, but they count different things. */
import { MTUS, type Mtu } from '@verbslab/protocol';

/** IPv6 40, UDP 8, BTH 12, RETH 16 and ICRC 4: what a WRITE over IPv6 carries beside its payload. */
export const HEADER_ROOM_BYTES = 80;

/** The largest path MTU that leaves room for the headers; the smallest there is, where none does. */
export const pathMtuOf = (interfaceMtu: number): Mtu =>
  MTUS.findLast((mtu) => mtu + HEADER_ROOM_BYTES <= interfaceMtu) ?? MTUS[0];
