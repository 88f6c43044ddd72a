'use client';
import { useState, type ReactNode } from 'react';
import { TableSwitch } from '../ui/table-switch';
import { PlainTable } from './plain-table';
import { PressedChoice } from './pressed-choice';

interface ExplorableProps {
  /** Its name for the audit. */
  id: string;
  label: string;
  /** Values of its controls, for the audit. */
  using: Readonly<Record<string, number>>;
  /** What the figure says with these values. */
  answer: ReactNode;
  choice: {
    label: string;
    options: readonly { name: string; text: string }[];
    value: string;
    onChange: (name: string) => void;
  };
  table: { label: string; head: readonly string[]; rows: readonly (readonly string[])[] };
  /** How to use the figure, and where its values come from. Its figures have names for the audit. */
  note: ReactNode;
  /** The figure, which the table can replace. */
  children: ReactNode;
}

/** Frame of a figure with a handle: its answer on top, a choice of what was measured, then the figure or its table. */
export function Explorable(props: ExplorableProps) {
  const { id, label, using, answer, choice, table, note, children } = props;
  const [shown, setShown] = useState(false);
  return (
    <section aria-label={label} className="space-y-3" data-explorable={id} data-using={JSON.stringify(using)}>
      <p className="text-16 font-medium text-pretty sm:text-20" role="status" data-shows="explorable-answer">
        {answer}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <PressedChoice {...choice} />
        <span className="ml-auto">
          <TableSwitch
            of={table.label}
            picture="figure"
            shown={shown}
            onToggle={() => setShown((old) => !old)}
          />
        </span>
      </div>
      {shown ? <PlainTable {...table} shows="explorable-table" /> : children}
      <p className="prose text-13 text-ink-2">{note}</p>
    </section>
  );
}
