/**
 * Transitions of an RC QP by ibv_modify_qp, and the attributes of each, from the kernel's `qp_state_table`
 * (drivers/infiniband/core/verbs.c).
 */
import type { QpState } from '@verbslab/protocol';

/** States of RC, which has no SQE: only UC and UD do. */
export const STATES = ['RESET', 'INIT', 'RTR', 'RTS', 'SQD', 'ERR'] as const satisfies readonly QpState[];
export type State = (typeof STATES)[number];

export interface Transition {
  /** Null: from any state. */
  from: State | null;
  to: State;
  /** Names without IBV_QP_. Every transition also requires STATE. */
  required: readonly string[];
  optional: readonly string[];
}

const WHILE_CONNECTED = ['CUR_STATE', 'ALT_PATH', 'ACCESS_FLAGS', 'MIN_RNR_TIMER', 'PATH_MIG_STATE'];

export const TRANSITIONS: readonly Transition[] = [
  { from: 'RESET', to: 'INIT', required: ['PKEY_INDEX', 'PORT', 'ACCESS_FLAGS'], optional: [] },
  {
    from: 'INIT',
    to: 'RTR',
    required: ['AV', 'PATH_MTU', 'DEST_QPN', 'RQ_PSN', 'MAX_DEST_RD_ATOMIC', 'MIN_RNR_TIMER'],
    optional: ['ALT_PATH', 'ACCESS_FLAGS', 'PKEY_INDEX'],
  },
  {
    from: 'RTR',
    to: 'RTS',
    required: ['SQ_PSN', 'TIMEOUT', 'RETRY_CNT', 'RNR_RETRY', 'MAX_QP_RD_ATOMIC'],
    optional: WHILE_CONNECTED,
  },
  { from: 'RTS', to: 'SQD', required: [], optional: ['EN_SQD_ASYNC_NOTIFY'] },
  { from: 'SQD', to: 'RTS', required: [], optional: WHILE_CONNECTED },
  { from: null, to: 'ERR', required: [], optional: [] },
  { from: null, to: 'RESET', required: [], optional: [] },
];

/** Name in an address: `INIT-RTR`, `any-ERR`. */
export const nameOf = ({ from, to }: Pick<Transition, 'from' | 'to'>): string => `${from ?? 'any'}-${to}`;

export const textOf = ({ from, to }: Pick<Transition, 'from' | 'to'>): string =>
  `${from ?? 'Any state'} → ${to}`;
