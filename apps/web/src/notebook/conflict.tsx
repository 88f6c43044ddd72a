'use client';
import type { RunNote } from '@verbslab/protocol';
import { when } from '../format/number';
import { Button } from '../ui/button';
import { decided, type Content, type Editing } from './editing';
import { momentText } from '../parts/run/moment';

const detailsOf = ({ tags, moment }: Content): string =>
  [...tags, ...(moment === null ? [] : [momentText(moment)])].join(', ');

/** Two texts of one note, and which of them stays. */
export function Conflict(props: {
  editing: Editing;
  theirs: RunNote;
  onDecide: (next: (old: Editing) => Editing) => void;
}) {
  const { editing, theirs, onDecide } = props;
  const choose = (how: 'mine' | 'theirs' | 'both') => onDecide((old) => decided(old, how));
  return (
    <div role="alert" className="mt-3 border-l-2 border-retx bg-sunken px-4 py-3" data-conflict>
      <p className="font-medium">This note was changed elsewhere while you edited it.</p>
      <p className="mt-1 text-ink-2">Choose which text to keep. Nothing is overwritten until you do.</p>
      <div className="mt-3 grid gap-4 md:grid-cols-2">
        <Version title="Your text" content={editing.mine} />
        <Version title={`Saved text, ${when(theirs.changedAt)}`} content={theirs} />
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={() => choose('mine')}>Keep my text</Button>
        <Button onClick={() => choose('theirs')}>Use the saved text</Button>
        <Button onClick={() => choose('both')}>Keep both</Button>
      </div>
    </div>
  );
}

function Version({ title, content }: { title: string; content: Content }) {
  const details = detailsOf(content);
  return (
    <section aria-label={title} className="min-w-0" data-words>
      <h3 className="text-13 font-medium text-ink-2">{title}</h3>
      <pre
        tabIndex={0}
        className="num thin-scroll mt-1 max-h-60 overflow-auto border-y bg-panel px-2 py-1 text-13 wrap-anywhere whitespace-pre-wrap"
      >
        {content.text}
      </pre>
      {details === '' ? null : <p className="mt-1 text-12 text-ink-3">{details}</p>}
    </section>
  );
}
