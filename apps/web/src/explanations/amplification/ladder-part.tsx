'use client';
import { formatCount } from '@verbslab/labs';
import { useState, type ReactNode } from 'react';
import { TableSwitch } from '../../ui/table-switch';
import { PlainTable } from '../plain-table';
import type { Handle } from './handles';
import { countOf, type Ladder } from './ladder';
import { ladderAnswer, ladderRows } from './ladder-words';
import { PressedLadder } from './pressed-ladder';

const HEAD = ['PSN', 'Sent at', 'Arrived at', 'What'] as const;

/** A ladder with its sentence, its figures and the table behind it. `children`: stands above the drawing. */
export function LadderPart(props: {
  ladder: Ladder;
  handles: readonly Handle[];
  onPress: (name: string) => void;
  /** Time of the message without a loss, ns; null if not recorded. */
  clean: number | null;
  hint: string;
  children?: ReactNode;
}) {
  const { ladder, handles, onPress, clean, hint, children } = props;
  const [table, setTable] = useState(false);
  const ofRun = clean === null;
  return (
    <section aria-label="Ladder" className="min-w-0 space-y-3">
      <p
        className="text-16 font-medium text-pretty sm:text-20"
        role="status"
        data-ladder-answer
        {...(ofRun ? { 'data-shows': 'ladder-answer' } : { 'data-words': true })}
      >
        {ladderAnswer(ladder, clean)}
      </p>
      {/* The figures of a run stand below its ladder. */}
      {ofRun ? null : <Facts ladder={ladder} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-13">
        {children}
        <span className="ml-auto">
          <TableSwitch of="Ladder" picture="ladder" shown={table} onToggle={() => setTable(!table)} />
        </span>
      </div>
      {table ? (
        <PlainTable
          label="Packets and answers"
          head={HEAD}
          rows={ladderRows(ladder)}
          {...(ofRun ? { shows: 'ladder-table' } : {})}
        />
      ) : (
        <div data-words>
          <PressedLadder ladder={ladder} handles={handles} onPress={onPress} label={hint} />
        </div>
      )}
      <p className="text-13 text-ink-2" data-words>
        {hint} ● taken, | dropped on arrival, × lost; amber: sent again.
      </p>
    </section>
  );
}

function Facts({ ladder }: { ladder: Ladder }) {
  const { sent, again, bytes, hadArrived, selective } = countOf(ladder);
  const facts = [
    ['Packets sent', formatCount(sent), 'recorded'],
    ['Sent again', formatCount(again), 'recorded'],
    ['Of these had arrived', formatCount(hadArrived), 'recorded'],
    ['Bytes moved, with headers', formatCount(bytes), 'recorded'],
    ['Selective repeat would send again', formatCount(selective), 'computed'],
  ] as const;
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 text-13" data-ladder-facts>
      {facts.map(([name, value, how]) => (
        <div key={name}>
          <dt className="text-12 text-ink-3">
            {name}
            {how === 'computed' ? <span className="ml-1 border border-dashed px-1">computed</span> : null}
          </dt>
          <dd className="num text-16">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
