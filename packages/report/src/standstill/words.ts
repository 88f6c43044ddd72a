import { qpnText, type StillQp } from '@verbslab/protocol';

const digits = (value: number): string => (value < 10 ? value.toFixed(1) : Math.floor(value).toString());

/** A duration as a person says it: `13 s`, `4 min`. */
export function spanText(ns: number): string {
  const seconds = Math.max(0, ns) / 1e9;
  if (seconds < 120) return `${digits(seconds)} s`;
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${digits(seconds / 3600)} h`;
}

/** A time of the run: `0.391 s`. */
export const timeText = (ns: number): string => `${(ns / 1e9).toFixed(3)} s`;

export const qpText = (qpn: number): string => `QP ${qpnText(qpn)}`;
export const peerText = ({ peerQpn }: StillQp): string =>
  peerQpn === undefined ? 'its peer' : qpText(peerQpn);

/** Names of requests as people say them. */
const SHORT: Readonly<Record<string, string>> = {
  RDMA_WRITE: 'WRITE',
  RDMA_WRITE_WITH_IMM: 'WRITE with immediate',
  SEND_WITH_IMM: 'SEND with immediate',
  SEND_WITH_INV: 'SEND with invalidate',
  RDMA_READ: 'READ',
  ATOMIC_CMP_AND_SWP: 'compare and swap',
  ATOMIC_FETCH_AND_ADD: 'fetch and add',
  LOCAL_INV: 'local invalidate',
  BIND_MW: 'bind',
};

export const requestText = ({ opcode, wrId }: { opcode: string; wrId: string }): string =>
  `${SHORT[opcode] ?? opcode} (wr_id ${wrId})`;

/** Timeout of an attribute code, in the words of the manual page: 4.096 µs times a power of two. */
export function timeoutText(code: number): string {
  const ms = 0.004096 * 2 ** code;
  const text =
    ms < 1
      ? `${(ms * 1000).toPrecision(3)} µs`
      : ms < 1000
        ? `${ms.toPrecision(3)} ms`
        : `${(ms / 1000).toPrecision(3)} s`;
  return `timeout ${code} (${text})`;
}
