import { rowOf } from '@verbslab/protocol';
import { answers, type Answer } from '../base/subsystem.js';
import { fittingPage } from './list-page.js';
import type { RunManager } from './manager.js';

/** Answers requests about runs and labs. */
export const runAnswers = (manager: RunManager): Answer[] =>
  answers({
    'labs.list': () => ({ labs: manager.labs }),
    'run.start': async (message) => ({ run: await manager.start(message) }),
    'run.step': ({ runId, go }) => ({ run: manager.step(runId, go) }),
    'run.cancel': async ({ runId }) => ({ run: await manager.cancel(runId) }),
    'run.faults': async ({ runId, endpoint, faults }) => ({
      runId,
      endpoints: await manager.faults(runId, endpoint, faults),
    }),
    'run.get': ({ runId }) => ({ run: manager.get(runId) }),
    'run.list': ({ limit = 50, before, lab, parts }) =>
      fittingPage(manager.list({ limit, before, lab, parts })),
    'run.rows': ({ limit = 50, before }) => {
      const list = manager.list({ limit, before });
      return fittingPage({ ...list, runs: list.runs.map(rowOf) });
    },
    'run.delete': ({ runId }) => {
      manager.delete(runId);
      return { runId };
    },
  });
