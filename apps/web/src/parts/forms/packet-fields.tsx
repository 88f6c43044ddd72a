'use client';
import { fieldRange, type EditableField, type FieldGroup } from '@verbslab/protocol';
import { useId } from 'react';
import { cn } from '../../ui/cn';
import { Gloss } from '../../ui/gloss';
import { editsIn, withEdit } from './packet-edits';

interface Props {
  groups: readonly FieldGroup[];
  /** The edits as text: `bth.psn=+1; reth.rkey=0`. */
  value: string;
  onChange: (value: string) => void;
}

/** The fields of a packet, each with what it means and a box for what it is to become. They write the text above them. */
export function PacketFields({ groups, value, onChange }: Props) {
  const edits = editsIn(value);
  return (
    <details className="mt-2">
      <summary className="inline-flex min-h-8 items-center text-13 text-ink-2 pointer-coarse:min-h-11">
        Choose fields
      </summary>
      {groups.map(({ title, fields }) => (
        <fieldset key={title} className="mt-2 border-t pt-2">
          <legend className="pr-2 text-13 font-medium">{title}</legend>
          {fields.map((field) => (
            <FieldRow
              key={field.name}
              field={field}
              value={edits.get(field.name.toLowerCase()) ?? ''}
              onChange={(text) => onChange(withEdit(value, field.name, text))}
            />
          ))}
        </fieldset>
      ))}
    </details>
  );
}

function FieldRow(props: { field: EditableField; value: string; onChange: (value: string) => void }) {
  const { field, value, onChange } = props;
  const id = useId();
  return (
    <div className="grid gap-x-4 gap-y-0.5 py-1 sm:grid-cols-[11rem_9rem_1fr]">
      <label htmlFor={id} className="pt-1 text-13">
        {field.label}
        <span className="num block text-12 text-ink-2">{field.name}</span>
      </label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        spellCheck={false}
        value={value}
        placeholder="unchanged"
        aria-describedby={`${id}-help`}
        onChange={(e) => onChange(e.target.value)}
        className={cn(
          'num h-8 w-full rounded-[4px] border border-line-strong bg-panel px-2 text-13 pointer-coarse:h-11',
          value !== '' && 'border-accent',
        )}
      />
      <p id={`${id}-help`} className="max-w-[60ch] text-12 text-ink-2 sm:pt-1">
        <Gloss>{field.text}</Gloss> <span className="num text-ink-3">{fieldRange(field)}</span>
      </p>
    </div>
  );
}
