'use client';
import { endpointNames, type RunEventOf } from '@verbslab/protocol';
import type { Topic } from '../../model/run-model';
import { useTopics } from '../../connection/use-session';
import { VerbTable } from '../verb-table';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['trace', 'state'];

export default function VerbsPanel({ view, lab }: PanelContentProps) {
  useTopics(view, TOPICS);
  const verbs = view.model.trace
    .filter((e): e is RunEventOf<'verb'> => e.kind === 'verb')
    .sort((a, b) => a.t - b.t);
  if (verbs.length === 0)
    return (
      <Waiting
        record={view.model.record}
        soon="Each verbs call appears here with its arguments and result."
        never="No verbs call was recorded."
      />
    );
  const names = endpointNames(lab?.roles ?? [], view.model.record.parameters);
  return (
    <div
      className="thin-scroll h-full overflow-auto px-3 pb-2"
      tabIndex={0}
      role="group"
      aria-label="Verbs calls"
    >
      <VerbTable verbs={verbs} roleTitle={(name) => names.find((one) => one.name === name)?.title ?? name} />
    </div>
  );
}
