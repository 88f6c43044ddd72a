'use client';
import { Words } from '../../ui/words';
import { labNotes } from '../../model/lab-notes';
import type { Topic } from '../../model/run-model';
import { useTopics } from '../../connection/use-session';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['notes', 'record', 'state'];

/** Meaning and limits of the figures on this class of device, in the lab's words. */
export default function FindingsPanel({ view }: PanelContentProps) {
  useTopics(view, TOPICS);
  // The lab's explanation comes at the end of the run, but should be read first.
  const notes = labNotes(view.model)
    .filter(({ caveat }) => !caveat)
    .reverse();
  if (notes.length === 0) {
    return (
      <Waiting
        record={view.model.record}
        soon="An explanation of the results appears here when the run ends."
        never="The run ended before its results could be explained."
      />
    );
  }
  return (
    <div
      className="thin-scroll h-full gap-8 space-y-2 overflow-auto px-3 pb-3 lg:columns-2"
      tabIndex={0}
      role="group"
      aria-label="What the figures mean"
      data-findings
    >
      {notes.map(({ text }, i) => (
        <p
          key={i}
          className="max-w-[72ch] text-13 text-ink-2 [&:only-child]:break-inside-avoid"
          data-shows="finding"
        >
          <Words>{text}</Words>
        </p>
      ))}
    </div>
  );
}
