'use client';
import type { LabDescription } from '@verbslab/protocol';
import type { RunSession } from '../connection/run-sessions';
import { useTopics } from '../connection/use-session';
import { fieldsOf, summary } from '../model/fields';
import type { Topic } from '../model/run-model';
import { Caveats } from './caveats';
import { ImportedFrom } from './imported-from';

const WATCH: readonly Topic[] = ['record'];

/**
 * Limits of a run of a lab: what its figures do not show, the command that runs it again, and where an imported one comes
 * from. `known`: this agent has the lab, and the page its parameters.
 */
export function LabLimits(props: { session: RunSession; lab: LabDescription; known: boolean }) {
  const { session, lab, known } = props;
  const view = session.view!;
  useTopics(view, WATCH);
  const { record } = view.model;
  return (
    <div className="space-y-1">
      {!lab.steps || lab.results?.figures ? <Caveats view={view} lab={lab} /> : null}
      {known ? null : (
        <p className="max-w-[120ch] text-13 text-ink-2" data-shows="parameters">
          {summary(fieldsOf(lab.params), record.parameters, true)}
        </p>
      )}
      {record.imported ? (
        <ImportedFrom imported={record.imported} record={record} unknown={known ? null : record.lab} />
      ) : null}
    </div>
  );
}
