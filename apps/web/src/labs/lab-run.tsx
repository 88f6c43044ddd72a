'use client';
import type { LabDescription, RunRecord } from '@verbslab/protocol';
import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useState } from 'react';
import { runHref } from '../addresses';
import type { RunSession } from '../connection/run-sessions';
import { useAgent } from '../connection/store';
import { askedHref } from '../parts/run/asked';
import type { LabReading } from './reading/reading-of';
import { LabView } from './view/lab-view';
import type { LabParts } from './view/parts';
import { useStarter } from './view/use-starter';

interface LabRunProps {
  session: RunSession;
  parts: LabParts;
  /** Ids of all panels: a run of a lab that this agent does not have may have filled any of them. */
  panels: readonly string[];
}

/** The page of a lab's run, which is that of the lab after this run. */
export function LabRun({ session, parts, panels }: LabRunProps) {
  const { record } = session.view!.model;
  const lab = useAgent((s) => s.labs.find(({ id }) => id === record.lab));
  const reading = useReading(record.lab);
  return lab ? (
    <KnownLab {...{ session, lab, reading, parts }} />
  ) : (
    <LabView lab={standIn(record, panels)} reading={null} starter={null} run={{ session }} parts={parts} />
  );
}

function KnownLab(props: Omit<LabRunProps, 'panels'> & { lab: LabDescription; reading: LabReading | null }) {
  const { session, lab, reading, parts } = props;
  const router = useRouter();
  const asked = askedHref(session.view!.model.record);
  const open = useCallback((id: string) => router.push(runHref(id)), [router]);
  const starter = useStarter(lab, asked.slice(asked.indexOf('?') + 1), open);
  return <LabView {...{ lab, reading, starter, parts }} run={{ session }} />;
}

/** What is known of a lab by its run. */
function standIn({ lab, title }: RunRecord, panels: readonly string[]): LabDescription {
  return {
    ...{ id: lab, title, question: title, summary: '', params: {}, roles: [], checks: [] },
    ...{ watch: [...panels], needs: [], wants: [] },
  };
}

/** Texts of a lab, which the build has put beside its page. Null until they are there. */
function useReading(lab: string): LabReading | null {
  const [found, setFound] = useState<{ lab: string; reading: LabReading } | null>(null);
  const connected = useAgent((s) => s.status === 'open');
  useEffect(() => {
    if (!connected) return;
    const ended = new AbortController();
    fetch(`/labs/${lab}/reading.json`, { signal: ended.signal }).then(
      async (response) => {
        if (response.ok) setFound({ lab, reading: (await response.json()) as LabReading });
      },
      // Without its texts the page has everything about the run. The next connection asks for them again.
      () => undefined,
    );
    return () => ended.abort();
  }, [lab, connected]);
  return found?.lab === lab ? found.reading : null;
}
