/**
 * The way of an RC queue pair from RESET to RTS: the members that each transition requires, and those that it refuses.
 */
import { QP_ATTR_BITS, type EndpointArgs, type QpAttrName, type QpState } from '@verbslab/protocol';

export type QpAttrs = EndpointArgs<'modifyQp'>['attrs'];
type Member = Exclude<keyof QpAttrs, 'state'>;

/** Members of a transition by the mask bit that announces them. Port and GID index are parts of the address vector. */
const BIT_OF: Partial<Record<keyof QpAttrs, QpAttrName>> = {
  state: 'STATE',
  pkeyIndex: 'PKEY_INDEX',
  access: 'ACCESS_FLAGS',
  qkey: 'QKEY',
  remoteGid: 'AV',
  pathMtu: 'PATH_MTU',
  destQpn: 'DEST_QPN',
  rqPsn: 'RQ_PSN',
  maxDestRdAtomic: 'MAX_DEST_RD_ATOMIC',
  minRnrTimer: 'MIN_RNR_TIMER',
  timeout: 'TIMEOUT',
  retryCount: 'RETRY_CNT',
  rnrRetry: 'RNR_RETRY',
  sqPsn: 'SQ_PSN',
  maxRdAtomic: 'MAX_QP_RD_ATOMIC',
};

/** Mask bits of a transition, in the order of the members. */
export function bitsOf(attrs: QpAttrs): QpAttrName[] {
  const given = Object.keys(attrs) as (keyof QpAttrs)[];
  return given.flatMap((member) => {
    const bit = member === 'port' && attrs.remoteGid === undefined ? 'PORT' : BIT_OF[member];
    return bit ? [bit] : [];
  });
}

/** `0x39`. */
export const maskOf = (attrs: QpAttrs): string =>
  `0x${bitsOf(attrs)
    .reduce((mask, name) => mask | (1 << QP_ATTR_BITS[name]), 0)
    .toString(16)}`;

/** Required members of each transition; without one of them it is refused. */
export const REQUIRED: Readonly<Record<'INIT' | 'RTR' | 'RTS', readonly Member[]>> = {
  INIT: ['pkeyIndex', 'port', 'access'],
  RTR: ['remoteGid', 'pathMtu', 'destQpn', 'rqPsn', 'maxDestRdAtomic', 'minRnrTimer'],
  RTS: ['sqPsn', 'timeout', 'retryCount', 'rnrRetry', 'maxRdAtomic'],
};

/** The masks of the three right transitions, by ibv_modify_qp(3). */
export const RIGHT_MASKS = { INIT: '0x39', RTR: '0x129181', RTS: '0x12e01' } as const;

/** The transition without one member. Without its GID there is no address vector, so its other parts go as well. */
export function without(attrs: QpAttrs, member: Member): QpAttrs {
  const rest: QpAttrs = { ...attrs };
  delete rest[member];
  if (member === 'remoteGid') {
    delete rest.port;
    delete rest.gidIndex;
  }
  return rest;
}

/** Name of a member for readers: its mask bit. */
export const bitName = (member: Member): string => (member === 'port' ? 'PORT' : (BIT_OF[member] ?? member));

/** A mistake, tried while the QP is in a state. */
export interface Mistake {
  what: string;
  attrs: QpAttrs;
}

const leftOut = (attrs: QpAttrs, state: 'INIT' | 'RTR' | 'RTS'): Mistake[] =>
  REQUIRED[state].map((member) => ({
    what: `${state} without ${bitName(member)}`,
    attrs: without(attrs, member),
  }));

/** The three right transitions of one side, and mistakes on the way. `emptyGid`: an index without a GID. */
export function planOf(right: Record<'INIT' | 'RTR' | 'RTS', QpAttrs>, emptyGid: number) {
  const steps: { from: QpState; mistakes: Mistake[]; right: QpAttrs }[] = [
    {
      from: 'RESET',
      mistakes: [
        { what: 'Straight to RTR', attrs: right.RTR },
        { what: 'Straight to RTS', attrs: right.RTS },
        ...leftOut(right.INIT, 'INIT'),
        { what: 'INIT with TIMEOUT as well', attrs: { ...right.INIT, timeout: 14 } },
      ],
      right: right.INIT,
    },
    {
      from: 'INIT',
      mistakes: [
        { what: 'Straight to RTS', attrs: right.RTS },
        ...leftOut(right.RTR, 'RTR'),
        {
          what: `RTR with GID index ${emptyGid}, an empty entry`,
          attrs: { ...right.RTR, gidIndex: emptyGid },
        },
      ],
      right: right.RTR,
    },
    {
      from: 'RTR',
      mistakes: [{ what: 'Back to INIT', attrs: right.INIT }, ...leftOut(right.RTS, 'RTS')],
      right: right.RTS,
    },
  ];
  return steps;
}
