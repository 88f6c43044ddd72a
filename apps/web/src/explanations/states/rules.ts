import type { State } from './transitions';

/** What a program may post in a state, and what the device does with packets, as ibv_modify_qp(3) and IBA 10.3 say. */
export const RULES: Readonly<Record<State, { send: string; recv: string; packets: string }>> = {
  RESET: { send: 'refused', recv: 'refused', packets: 'dropped in silence' },
  INIT: { send: 'refused', recv: 'taken, not processed', packets: 'dropped in silence' },
  RTR: { send: 'refused', recv: 'taken and processed', packets: 'processed and answered' },
  RTS: { send: 'taken and processed', recv: 'taken and processed', packets: 'processed and answered' },
  SQD: {
    send: 'taken; started after the return to RTS',
    recv: 'taken and processed',
    packets: 'processed and answered',
  },
  SQE: { send: 'flushed', recv: 'taken and processed', packets: 'processed' },
  ERR: { send: 'flushed', recv: 'flushed', packets: 'dropped in silence' },
};
