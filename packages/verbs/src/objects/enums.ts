import { wcOpcodeName, WR_OPCODES } from '@verbslab/protocol';
import { argumentError } from '../base/errors.js';
import type {
  Access,
  AsyncEvent,
  GidType,
  PortState,
  QpState,
  QpType,
  SendOpcode,
  WcOpcode,
} from './types.js';

/** Names from `<infiniband/verbs.h>` to numbers and back. */

const ACCESS: Readonly<Record<Access, number>> = {
  LOCAL_WRITE: 1,
  REMOTE_WRITE: 1 << 1,
  REMOTE_READ: 1 << 2,
  REMOTE_ATOMIC: 1 << 3,
  MW_BIND: 1 << 4,
  ZERO_BASED: 1 << 5,
  ON_DEMAND: 1 << 6,
  HUGETLB: 1 << 7,
  RELAXED_ORDERING: 1 << 20,
};
const ACCESS_NAMES = Object.keys(ACCESS) as Access[];

export const ALL_ACCESS: readonly Access[] = ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ', 'REMOTE_ATOMIC'];

export function accessFlags(call: string, access: readonly Access[]): number {
  let flags = 0;
  for (const name of access) {
    const bit = ACCESS[name] as number | undefined;
    if (bit === undefined)
      throw argumentError(
        call,
        'access',
        `“${String(name)}” is not an access right`,
        `Choose from: ${ACCESS_NAMES.join(', ')}.`,
      );
    flags |= bit;
  }
  return flags;
}

export const accessNames = (flags: number): Access[] =>
  ACCESS_NAMES.filter((name) => (flags & ACCESS[name]) !== 0);

const QP_STATES = ['RESET', 'INIT', 'RTR', 'RTS', 'SQD', 'SQE', 'ERR', 'UNKNOWN'] as const;
export const qpStateName = (state: number): QpState => QP_STATES[state] ?? 'UNKNOWN';
export function qpStateNumber(state: QpState): number {
  const number = QP_STATES.indexOf(state);
  if (number < 0 || state === 'UNKNOWN')
    throw argumentError(
      'ibv_modify_qp',
      'state',
      `“${state}” is not a QP state`,
      'Choose RESET, INIT, RTR, RTS, SQD, SQE or ERR.',
    );
  return number;
}

/** Bytes of an `enum ibv_mtu`: 1 is 256 bytes, and each further value doubles it. */
export const mtuBytes = (mtu: number): number => (mtu >= 1 && mtu <= 5 ? 128 << mtu : 0);
export function mtuNumber(bytes: number): number {
  const number = [256, 512, 1024, 2048, 4096].indexOf(bytes);
  if (number < 0)
    throw argumentError('ibv_modify_qp', 'mtu', `it is ${bytes}`, 'Choose 256, 512, 1024, 2048 or 4096.');
  return number + 1;
}

export const QP_TYPES = { RC: 2, UC: 3, UD: 4 } as const;

export const sendOpcodeNumber = (opcode: SendOpcode): number => WR_OPCODES.indexOf(opcode);
export const sendOpcodeName = (opcode: number): SendOpcode | 'UNKNOWN' => WR_OPCODES[opcode] ?? 'UNKNOWN';
export const wcOpcode = (opcode: number): WcOpcode => {
  const name = wcOpcodeName(opcode);
  return name.startsWith('OPCODE_') ? 'UNKNOWN' : (name as WcOpcode);
};

/** Bits of IBV_SEND_*. */
export const SEND_FLAGS = { fence: 1, signaled: 2, solicited: 4, inline: 8 } as const;
/** Bits of IBV_WC_*. */
export const WC_FLAGS = { grh: 1, withImmediate: 2, withInvalidate: 8 } as const;

const CONNECTED: readonly SendOpcode[] = ['SEND', 'SEND_WITH_IMM', 'RDMA_WRITE', 'RDMA_WRITE_WITH_IMM'];
/** Opcodes that each QP type can post by extended posting. */
const EXTENDED: Readonly<Record<QpType, readonly SendOpcode[]>> = {
  RC: WR_OPCODES,
  UC: CONNECTED,
  UD: ['SEND', 'SEND_WITH_IMM'],
};

/** Bits of IBV_QP_EX_WITH_*. The number of a bit is the number of its opcode. */
export function sendOps(call: string, type: QpType, wanted: boolean | readonly SendOpcode[]): bigint {
  const opcodes = wanted === true ? EXTENDED[type] : wanted === false ? [] : wanted;
  return opcodes.reduce((bits, opcode) => {
    const number = sendOpcodeNumber(opcode);
    if (number < 0)
      throw argumentError(
        call,
        'extended',
        `“${String(opcode)}” is not an opcode`,
        'See the type SendOpcode.',
      );
    return bits | (1n << BigInt(number));
  }, 0n);
}

/** Bits of `enum ibv_device_cap_flags` for windows, with their type. */
const MW_CAPS = [
  [1 << 17, 1],
  [(1 << 23) | (1 << 24), 2],
] as const;
export const windowTypes = (capFlags: number): (1 | 2)[] =>
  MW_CAPS.filter(([bits]) => (capFlags & bits) !== 0).map(([, type]) => type);

const PORT_STATES: readonly PortState[] = ['NOP', 'DOWN', 'INIT', 'ARMED', 'ACTIVE', 'ACTIVE_DEFER'];
export const portStateName = (state: number): PortState => PORT_STATES[state] ?? 'NOP';

export const linkLayerName = (layer: number): 'unspecified' | 'infiniband' | 'ethernet' =>
  layer === 1 ? 'infiniband' : layer === 2 ? 'ethernet' : 'unspecified';

/** Number of lanes. `active_width` is a bit: 1, 2, 4, 8 and 16 mean 1, 4, 8, 12 and 2 lanes. */
export const lanes = (width: number): number =>
  ({ 1: 1, 2: 4, 4: 8, 8: 12, 16: 2 })[width as 1 | 2 | 4 | 8 | 16] ?? 0;
/** Speed of a lane, Gb/s, from `active_speed`, as the InfiniBand specification rates it. */
export const laneGbps = (speed: number): number =>
  ({ 1: 2.5, 2: 5, 4: 10, 8: 10, 16: 14, 32: 25, 64: 50, 128: 100 })[
    speed as 1 | 2 | 4 | 8 | 16 | 32 | 64 | 128
  ] ?? 0;

/** Name of an `enum ibv_gid_type_sysfs`: 0 is InfiniBand or RoCEv1, depending on the link layer; 1 is RoCEv2. */
export const gidTypeName = (type: number, ethernet: boolean): GidType =>
  type === 1 ? 'RoCEv2' : ethernet ? 'RoCEv1' : 'IB';

const EVENTS: readonly AsyncEvent['type'][] = [
  'CQ_ERR',
  'QP_FATAL',
  'QP_REQ_ERR',
  'QP_ACCESS_ERR',
  'COMM_EST',
  'SQ_DRAINED',
  'PATH_MIG',
  'PATH_MIG_ERR',
  'DEVICE_FATAL',
  'PORT_ACTIVE',
  'PORT_ERR',
  'LID_CHANGE',
  'PKEY_CHANGE',
  'SM_CHANGE',
  'SRQ_ERR',
  'SRQ_LIMIT_REACHED',
  'QP_LAST_WQE_REACHED',
  'CLIENT_REREGISTER',
  'GID_CHANGE',
];
export const eventName = (type: number): AsyncEvent['type'] => EVENTS[type] ?? 'UNKNOWN';
export const isPortEvent = (name: AsyncEvent['type']): boolean =>
  [
    'PORT_ACTIVE',
    'PORT_ERR',
    'LID_CHANGE',
    'PKEY_CHANGE',
    'SM_CHANGE',
    'CLIENT_REREGISTER',
    'GID_CHANGE',
  ].includes(name);
export const isCqEvent = (name: AsyncEvent['type']): boolean => name === 'CQ_ERR';
export const isSrqEvent = (name: AsyncEvent['type']): boolean => name.startsWith('SRQ_');
export const isQpEvent = (name: AsyncEvent['type']): boolean =>
  name.startsWith('QP_') || ['COMM_EST', 'SQ_DRAINED', 'PATH_MIG', 'PATH_MIG_ERR'].includes(name);
