'use client';
import { isFinal } from '@verbslab/protocol';
import { Words } from '../../ui/words';
import type { Topic } from '../model/run-model';
import { useTopics } from '../use-session';
import type { PanelContentProps } from './types';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['notes', 'record'];

/** What the figures mean on this class of device, and what they do not: the lab's words, made from the figures. */
export default function FindingsPanel({ view }: PanelContentProps) {
  useTopics(view, TOPICS);
  const notes = view.model.notes.filter((n) => n.kind === 'note');
  if (notes.length === 0) {
    return (
      <Waiting>
        {isFinal(view.model.record.state)
          ? 'The run ended before there was anything to explain.'
          : 'Once the figures stand, this says what they mean on this class of device, and what they do not.'}
      </Waiting>
    );
  }
  return (
    <div
      className="thin-scroll h-full space-y-2 overflow-auto px-3 pb-3"
      tabIndex={0}
      role="group"
      aria-label="What the figures mean"
      data-findings
    >
      {notes.map((n) => (
        <p key={n.seq} className="max-w-[72ch] text-13 text-ink-2">
          <Words>{n.text}</Words>
        </p>
      ))}
    </div>
  );
}
