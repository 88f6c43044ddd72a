'use client';
import { choiceLabel } from '@verbslab/labs';
import { useId, type ReactNode } from 'react';
import { cn } from '../../ui/cn';
import { Gloss } from '../../ui/gloss';
import { PacketFields } from './packet-fields';
import { groupsOf } from './packet-edits';
import { allowed, type Draft, type Field } from '../../model/fields';

export interface ParamFormProps {
  fields: readonly Field[];
  draft: Draft;
  errors: Readonly<Record<string, string>>;
  onChange: (name: string, value: string | boolean) => void;
}

/** Parameters of a lab: a row each with its control, description and error. */
export function ParamForm({ fields, draft, errors, onChange }: ParamFormProps) {
  return (
    <div className="divide-y border-y">
      {fields.map((f) => (
        <Row
          key={f.name}
          field={f}
          value={draft[f.name] ?? ''}
          error={errors[f.name]}
          below={
            f.fieldEdits ? (
              <PacketFields
                groups={groupsOf(f.fieldEdits, draft)}
                value={String(draft[f.name] ?? '')}
                onChange={(v) => onChange(f.name, v)}
              />
            ) : null
          }
          onChange={(v) => onChange(f.name, v)}
        />
      ))}
    </div>
  );
}

interface RowProps {
  field: Field;
  value: string | boolean;
  error: string | undefined;
  /** Another way to fill in the field. */
  below: ReactNode;
  onChange: (value: string | boolean) => void;
}

function Row({ field, value, error, below, onChange }: RowProps) {
  const id = useId();
  const help = `${id}-help`;
  const fault = `${id}-error`;
  const described = error ? `${fault} ${help}` : help;
  return (
    <div className="grid gap-x-6 gap-y-1 py-2.5 sm:grid-cols-[9rem_13rem_1fr]">
      {field.kind === 'choice' && (field.choices?.length ?? 0) <= 4 ? (
        <span id={`${id}-label`} className="pt-1.5 font-medium">
          {field.title}
          <Flag field={field} />
        </span>
      ) : (
        <label htmlFor={id} className="pt-1.5 font-medium">
          {field.title}
          <Flag field={field} />
        </label>
      )}
      <div>
        <Control
          id={id}
          field={field}
          value={value}
          invalid={error !== undefined}
          described={described}
          onChange={onChange}
        />
      </div>
      <div className="max-w-[60ch] text-13 text-ink-2 sm:pt-1.5">
        <p id={help}>
          <Gloss>{field.description}</Gloss>
          {field.minimum !== undefined ? <span className="text-ink-3"> {allowed(field)}.</span> : null}
        </p>
        {/* Always rendered, so that a message does not shift the rest of its row unexpectedly. */}
        <p id={fault} role={error ? 'alert' : undefined} className="text-error-ink empty:hidden">
          {error ?? ''}
        </p>
      </div>
      {below === null ? null : <div className="sm:col-span-3">{below}</div>}
    </div>
  );
}

/** Option of the program that the field sets. */
function Flag({ field: { flag = '' } }: { field: Field }) {
  return flag === '' ? null : <span className="num block text-12 font-normal text-ink-2">{flag}</span>;
}

const box =
  'num h-9 w-full rounded-[4px] border border-line-strong bg-panel px-2.5 text-14 pointer-coarse:h-11 aria-invalid:border-error';

function Control(props: {
  id: string;
  field: Field;
  value: string | boolean;
  invalid: boolean;
  described: string;
  onChange: (value: string | boolean) => void;
}) {
  const { id, field, value, invalid, described, onChange } = props;
  if (field.kind === 'switch') {
    return (
      <input
        id={id}
        type="checkbox"
        checked={value === true}
        aria-describedby={described}
        onChange={(e) => onChange(e.target.checked)}
        className="mt-2 size-5 accent-accent"
      />
    );
  }
  if (field.kind === 'choice' && (field.choices?.length ?? 0) <= 4) {
    return (
      <div
        role="radiogroup"
        aria-labelledby={`${id}-label`}
        aria-describedby={described}
        className="flex flex-col"
      >
        {field.choices!.map((c) => (
          <label key={c} className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
            <input
              type="radio"
              name={id}
              checked={value === c}
              onChange={() => onChange(c)}
              className="size-4 accent-accent"
            />
            {choiceLabel(c, field)}
          </label>
        ))}
      </div>
    );
  }
  if (field.kind === 'choice') {
    return (
      <select
        id={id}
        value={String(value)}
        aria-describedby={described}
        onChange={(e) => onChange(e.target.value)}
        className={cn(box, 'font-sans')}
      >
        {field.choices!.map((c) => (
          <option key={c} value={c}>
            {choiceLabel(c, field)}
          </option>
        ))}
      </select>
    );
  }
  // The text of a byte count includes the unit.
  const unit = field.unit === 'B' ? undefined : field.unit;
  const input = (
    <input
      id={id}
      type="text"
      inputMode={field.unit === 'B' || field.kind === 'text' ? 'text' : 'decimal'}
      autoComplete="off"
      spellCheck={false}
      value={String(value)}
      aria-invalid={invalid}
      aria-describedby={described}
      onChange={(e) => onChange(e.target.value)}
      className={box}
    />
  );
  return unit === undefined ? (
    input
  ) : (
    <span className="flex items-center gap-2">
      {input}
      <span className="unit min-w-8 shrink-0 text-13">{unit}</span>
    </span>
  );
}
