'use client';
import type { RunRecord } from '@verbslab/protocol';
import { useState } from 'react';
import { toFailure } from '../../connection/failure';
import { request } from '../../connection/store';
import { Button } from '../../ui/button';
import { FailureNote, type Failure } from '../../ui/states';

/** Asks before a joined run is taken apart. */
export default function SeparateDialog(props: {
  record: RunRecord;
  onClose: () => void;
  onSeparated: (runs: readonly RunRecord[]) => void;
}) {
  const { record, onClose, onSeparated } = props;
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const numbers = (record.parts ?? []).map(({ number }) => number);
  const written = (record.tags?.length ?? 0) + (record.noteCount ?? 0) > 0;
  const separate = async () => {
    setFailure(null);
    setBusy(true);
    try {
      onSeparated((await request('run.separate', { runId: record.id })).runs);
    } catch (e) {
      setFailure(toFailure(e));
      setBusy(false);
    }
  };
  return (
    <div className="p-5">
      <h2 className="text-16 font-semibold">Separate run {record.number}?</h2>
      <p className="mt-1 text-ink-2">
        Runs {numbers.join(' and ')} return exactly as they were, and run {record.number} is deleted.
        {written ? ` Its notes and tags move to run ${numbers[0]}.` : ''}
      </p>
      {failure ? <FailureNote failure={failure} className="mt-3" /> : null}
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Keep it</Button>
        <Button kind="primary" disabled={busy} onClick={() => void separate()}>
          {busy ? 'Separating…' : 'Separate'}
        </Button>
      </div>
    </div>
  );
}
