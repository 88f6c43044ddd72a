'use client';
import { letterOf } from '@verbslab/labs';
import type { Transport } from '@verbslab/protocol';
import { useMemo } from 'react';
import { infoToFailure } from '../connection/failure';
import type { RunView } from '../connection/run-view';
import { useAgent } from '../connection/store';
import { useRunSessions } from '../connection/use-session';
import type { Failure } from '../ui/states';

/** A run that can be compared, and its letter. */
export interface Compared {
  id: string;
  /** Place among the comparable runs, which determines the letter. */
  index: number;
  letter: string;
  view: RunView;
  /** True until the record has been read to its end. */
  reading: boolean;
}

export interface Missing {
  id: string;
  failure: Failure;
}

export interface ComparedRuns {
  runs: Compared[];
  missing: Missing[];
  /** Runs that are being opened. */
  waiting: number;
}

/**
 * Runs of a comparison, opened without completions and packets. A run waits for those before it to open, so that no
 * letter moves to another run.
 */
export function useCompared(ids: readonly string[]): ComparedRuns {
  const sessions = useRunSessions(ids.join(' '), false);
  const version = useAgent((s) => s.sessionVersion);
  return useMemo(() => {
    const found: ComparedRuns = { runs: [], missing: [], waiting: 0 };
    ids.forEach((id, i) => {
      const session = sessions[i];
      if (session?.state === 'failed' && session.error)
        found.missing.push({ id, failure: infoToFailure(session.error.info) });
      else if (!session?.view) found.waiting++;
      else if (found.waiting === 0) {
        const place = found.runs.length;
        found.runs.push({
          ...{ id, index: place, letter: letterOf(place), view: session.view },
          reading: session.state === 'replaying',
        });
      }
    });
    return found;
    // Sessions are changed in place; their version shows changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [ids, version]);
}

/** A line of the charts: a run over a transport. */
export interface RunLine {
  /** Example: `A rdma`. */
  key: string;
  run: Compared;
  transport: Transport;
}
