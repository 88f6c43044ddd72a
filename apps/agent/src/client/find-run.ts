import { AppError, ID_FORM, type RunRecord } from '@verbslab/protocol';
import type { AgentClient } from './client.js';

/** Finds a run by its number, as lists show it, or by its id. Throws AppError UNKNOWN_RUN. */
export async function findRun(client: AgentClient, name: string): Promise<RunRecord> {
  const number = Number(name);
  if (!/^\d{1,9}$/.test(name)) {
    if (!ID_FORM.test(name)) throw new AppError('UNKNOWN_RUN', { run: name });
    return (await client.request('run.get', { runId: name })).run;
  }
  const { runs } = await client.request('run.list', { limit: 1, before: number + 1, parts: true });
  const [run] = runs;
  if (run?.number !== number) throw new AppError('UNKNOWN_RUN', { run: name });
  return run;
}
