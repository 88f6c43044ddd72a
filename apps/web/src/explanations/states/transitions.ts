/**
 * Transitions of a QP by ibv_modify_qp, and the attributes of each for RC, from the kernel's `qp_state_table`
 * (drivers/infiniband/core/verbs.c); and those that the device makes by itself (IBA 10.3.1).
 */
import type { QpState } from '@verbslab/protocol';

/** All states. RC never is in SQE: only UC and UD are. */
export const STATES = [
  'RESET',
  'INIT',
  'RTR',
  'RTS',
  'SQD',
  'SQE',
  'ERR',
] as const satisfies readonly QpState[];
export type State = (typeof STATES)[number];

export interface Transition {
  /** Null: from any state. */
  from: State | null;
  to: State;
  /** Names without IBV_QP_. Every transition also requires STATE. */
  required: readonly string[];
  optional: readonly string[];
  /** Made by the device, not by ibv_modify_qp, for this reason. */
  automatic?: string;
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
  { from: 'SQE', to: 'RTS', required: [], optional: ['CUR_STATE', 'ACCESS_FLAGS'] },
  { from: null, to: 'ERR', required: [], optional: [] },
  { from: null, to: 'RESET', required: [], optional: [] },
  {
    ...{ from: 'RTS', to: 'SQE', required: [], optional: [] },
    automatic: 'A send of a UC or UD QP fails. It and those behind it complete with an error.',
  },
  {
    ...{ from: 'RTS', to: 'ERR', required: [], optional: [] },
    automatic:
      'From RTR, RTS or SQD: a request fails or is refused, retries run out, or a completion finds no room. What is posted is flushed.',
  },
];

type Named = Pick<Transition, 'from' | 'to' | 'automatic'>;

/** Name in an address: `INIT-RTR`, `any-ERR`, `auto-ERR`. */
export const nameOf = ({ from, to, automatic }: Named): string =>
  `${automatic ? 'auto' : (from ?? 'any')}-${to}`;

export const textOf = ({ from, to, automatic }: Named): string =>
  automatic && to === 'ERR'
    ? 'An error → ERR'
    : `${from ?? (to === 'ERR' ? 'Any state but RESET' : 'Any state')} → ${to}`;

/** Transitions that lead out of a state, in the order of the table. */
export const outOf = (state: State): Transition[] =>
  TRANSITIONS.filter(({ from, to, automatic }) => {
    if (automatic && to === 'ERR') return ['RTR', 'RTS', 'SQD'].includes(state);
    // RESET has no way to ERR.
    return from === state || (from === null && to !== state && !(state === 'RESET' && to === 'ERR'));
  });
