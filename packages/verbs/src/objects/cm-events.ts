import type { CmId } from './cm-id.js';
import { callError, VerbsError, type Known } from '../base/errors.js';
import { formatGid } from '../base/gid.js';
import type { NativeCmEvent } from '../native/binding.js';
import type { Address, CmEvent, CmEventType } from './types.js';

const TYPES: readonly CmEventType[] = [
  'ADDR_RESOLVED',
  'ADDR_ERROR',
  'ROUTE_RESOLVED',
  'ROUTE_ERROR',
  'CONNECT_REQUEST',
  'CONNECT_RESPONSE',
  'CONNECT_ERROR',
  'UNREACHABLE',
  'REJECTED',
  'ESTABLISHED',
  'DISCONNECTED',
  'DEVICE_REMOVAL',
  'MULTICAST_JOIN',
  'MULTICAST_ERROR',
  'ADDR_CHANGE',
  'TIMEWAIT_EXIT',
];

/** Events that end any wait of an id with an error. */
export const CM_FAILURES: readonly CmEventType[] = [
  'ADDR_ERROR',
  'ROUTE_ERROR',
  'CONNECT_ERROR',
  'UNREACHABLE',
  'REJECTED',
  'DISCONNECTED',
  'DEVICE_REMOVAL',
];

/** @param id subject of the event; @param listener present with a request */
export function toCmEvent(native: NativeCmEvent, id: CmId, listener?: CmId): CmEvent {
  const type = TYPES[native.type] ?? 'UNKNOWN';
  const { status, privateData, connection, datagram } = native;
  const event: CmEvent = { type, status, id, privateData };
  if (listener) event.listener = listener;
  const hasPeer = type === 'CONNECT_REQUEST' || type === 'ESTABLISHED';
  if (hasPeer && connection) event.connection = connection;
  if (type === 'ESTABLISHED' && datagram) {
    const { gid, gidIndex, dlid, hopLimit, trafficClass, flowLabel, sl, port, qpn, qkey } = datagram;
    const address: Address = {
      gidIndex,
      lid: dlid,
      hopLimit,
      trafficClass,
      flowLabel,
      serviceLevel: sl,
      port,
    };
    if (gid) address.gid = formatGid(gid);
    event.datagram = { address, qpn, qkey };
  }
  return event;
}

/**
 * The error of a failed step of the connection manager. {@link event} has the details, such as the peer's private data
 * in a rejection.
 */
export class CmError extends VerbsError {
  constructor(
    error: VerbsError,
    /** The event that came instead. */
    readonly event: CmEvent,
  ) {
    super(error.code, error.errno, error.call, error.hint, error.info);
  }
}

const ECONNREFUSED = 111;
const ECONNRESET = 104;
const EHOSTUNREACH = 113;
const ENODEV = 19;

/** `IB_CM_REJ_CONSUMER_DEFINED`: the other program listens and has called rdma_reject. */
const BY_THE_PROGRAM = 28;
const REJECTED_BY_PROGRAM: Known = {
  meaning: 'the program at the other end rejected the connection',
  hint: 'Read its private data, which may say why.',
};

/** The error of a wait that `event` ended. */
export function cmError(call: string, event: CmEvent): CmError {
  const { type, status } = event;
  const errno =
    status < 0
      ? -status
      : type === 'REJECTED'
        ? ECONNREFUSED
        : type === 'DISCONNECTED'
          ? ECONNRESET
          : type === 'DEVICE_REMOVAL'
            ? ENODEV
            : EHOSTUNREACH;
  const detail = status > 0 ? `${type}, reason ${status}` : type;
  const known = type === 'REJECTED' && status === BY_THE_PROGRAM ? REJECTED_BY_PROGRAM : undefined;
  return new CmError(callError(errno, call, detail, known), event);
}
