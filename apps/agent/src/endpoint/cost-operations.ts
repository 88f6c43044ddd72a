import { AppError, type COST_OPS } from '@verbslab/protocol';
import { bootId } from '../base/boot-id.js';
import { CallCounter, NO_PTRACE } from './call-counter.js';
import { readEnergy } from './energy.js';
import type { Operations } from './operations.js';
import { deviceSwitches } from './thread-parts.js';

export const costOperations: Operations<keyof typeof COST_OPS> = {
  async 'calls.start'(session) {
    if (session.callCounter)
      throw new AppError('LIMIT', { what: 'Too many call counters', value: 2, limit: 1 });
    const started = await CallCounter.start();
    if (typeof started === 'string') return { refused: `${started}. ${NO_PTRACE}` };
    session.callCounter = started;
    return { refused: null };
  },

  async 'calls.stop'(session) {
    const counter = session.callCounter;
    if (!counter) throw new AppError('BAD_HANDLE', { what: 'call counter', handle: 1 });
    session.callCounter = undefined;
    return { calls: await counter.stop() };
  },

  deviceSwitches: () => ({ switches: deviceSwitches() }),

  energy: () => ({ ...readEnergy(), machine: bootId() ?? '' }),
};
