'use client';
import { ranTogether, type RunRow } from '@verbslab/protocol';
import { useState } from 'react';
import { toFailure } from '../../connection/failure';
import { request, useAgent } from '../../connection/store';
import { when } from '../../format/number';
import { Button } from '../../ui/button';
import { FailureNote, type Failure } from '../../ui/states';
import { usePeerRuns } from '../use-peer-runs';
import { joinCandidates } from './candidates';

/** More are found on the page of the other run, which offers this one. */
const MOST = 8;

const relationOf = (run: RunRow, other: RunRow, peers: readonly RunRow[]): string => {
  if (peers.some(({ id }) => id === other.id)) return 'Connected to this run';
  return ranTogether(run, other) ? 'Ran at the same time' : 'Ran at another time';
};

/** Chooses the run that becomes one with this one. */
export default function JoinDialog(props: {
  record: RunRow;
  onClose: () => void;
  onJoined: (run: RunRow) => void;
}) {
  const { record, onClose, onJoined } = props;
  const runs = useAgent((s) => s.runs);
  const peers = usePeerRuns(record);
  const all = joinCandidates(record, runs ?? [], peers);
  const [picked, setPicked] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [joining, setJoining] = useState(false);
  const chosen = picked ?? all[0]?.id ?? null;
  const join = async (other: string) => {
    setFailure(null);
    setJoining(true);
    try {
      onJoined((await request('run.join', { runIds: [record.id, other] })).run);
    } catch (e) {
      setFailure(toFailure(e));
    } finally {
      setJoining(false);
    }
  };
  return (
    <div className="p-5">
      <h2 className="text-16 font-semibold">Join run {record.number} with…</h2>
      <p className="mt-1 text-ink-2">
        The joined run shows both on one time axis and replaces them in the lists. You can separate it again.
      </p>
      {all.length === 0 ? (
        <p className="mt-3">No other run of a program has ended on this host.</p>
      ) : (
        <fieldset className="mt-3 divide-y border-y">
          <legend className="sr-only">Run to join with</legend>
          {all.slice(0, MOST).map((run) => (
            <label
              key={run.id}
              className="grid min-h-11 grid-cols-[auto_minmax(0,1fr)] gap-x-3 px-1 py-2 hover:bg-hover"
              data-candidate={run.number}
            >
              <input
                type="radio"
                name="join"
                className="mt-1"
                checked={run.id === chosen}
                onChange={() => setPicked(run.id)}
              />
              <span className="num text-13 wrap-anywhere">
                {run.number}: {run.title}
              </span>
              <span className="col-start-2 text-12 text-ink-3">
                {relationOf(record, run, peers)}, {when(run.createdAt)}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {failure ? <FailureNote failure={failure} className="mt-3" /> : null}
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Close</Button>
        {chosen === null ? null : (
          <Button kind="primary" disabled={joining} onClick={() => void join(chosen)}>
            {joining ? 'Joining…' : 'Join'}
          </Button>
        )}
      </div>
    </div>
  );
}
