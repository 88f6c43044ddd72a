'use client';
import type { RunRecord, RunRow } from '@verbslab/protocol';
import type { Failure } from '../ui/states';
import { request } from './store';
import { useKept } from './use-kept';

/**
 * The whole record of a run of which a list shows a row; null until it is known. It is asked for again when the row says
 * that the run has another state. `latest`: the last one that came, of this run or of the one before it, so that a page need
 * not go blank in between.
 */
export function useRecord(row: Pick<RunRow, 'id' | 'state'> | null | undefined): {
  record: RunRecord | null;
  latest: RunRecord | null;
  failure: Failure | null;
} {
  const runId = row?.id;
  const { kept, failure } = useKept(
    row ? `${row.id} ${row.state}` : null,
    async () => (await request('run.get', { runId: runId! })).run,
  );
  return { record: kept !== null && kept.id === runId ? kept : null, latest: kept, failure };
}
