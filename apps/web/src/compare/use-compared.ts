'use client';
import { letterOf } from '@verbslab/labs';
import type { Transport } from '@verbslab/protocol';
import { useMemo } from 'react';
import { infoToFailure } from '../connection/failure';
import type { RunView } from '../connection/run-view';
import { useAgent } from '../connection/store';
import { useRunSessions } from '../connection/use-session';
import type { Failure } from '../ui/states';

/** A run that can be compared, under its letter. */
export interface Compared {
  id: string;
  /** Its place among those that can be compared, by which it has its letter. */
  index: number;
  letter: string;
  view: RunView;
  /** Its record is not read to its end yet. */
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
 * The runs of a comparison, each opened without completions and packets. Those after one that is still being opened wait for
 * it, so that no letter passes from one run to another.
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
    // Sessions are changed in place, and their version says so.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [ids, version]);
}

/** One transport of one run: a line of the charts. */
export interface RunLine {
  /** `A rdma`. */
  key: string;
  run: Compared;
  transport: Transport;
}
