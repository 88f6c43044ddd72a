'use client';
import { plural } from '@verbslab/labs';
import { X } from 'lucide-react';
import { useId } from 'react';
import { show, valueText, type Field } from '../model/fields';
import { cn } from '../ui/cn';
import { IconButton } from '../ui/button';
import { isNumeric, plainOf } from './plain-values';
import { NameBoxes } from './name-boxes';
import { NumberList } from './number-list';
import { RangeFields } from './range-fields';
import { box, Fault } from './form-parts';
import { suggestedValues, type SweepDraft, type SweepReading } from './sweep-draft';

interface SweepRowProps {
  /** Row number, 1 or 2. */
  number: number;
  row: SweepDraft['rows'][number];
  fields: readonly Field[];
  errors: SweepReading['errors']['rows'][number];
  values: readonly unknown[];
  onChange: (row: SweepDraft['rows'][number]) => void;
  onRemove: (() => void) | null;
}

/** A swept parameter: its values as plain fields, and the same as an expression. */
export function SweepRow({ number, row, fields, errors, values, onChange, onRemove }: SweepRowProps) {
  const id = useId();
  const field = fields.find(({ name }) => name === row.param);
  if (!field) return null;
  const plain = plainOf(field, row.values);
  const set = (expression: string) => onChange({ param: row.param, values: expression });
  const choose = (kind: 'range' | 'list') => {
    if (kind === plain.kind) return;
    const shown = values.map((value) => show(field, value).replaceAll(' ', ''));
    set(kind === 'range' ? suggestedValues(field) : shown.join(','));
  };
  return (
    <fieldset className="mt-4" data-sweep-row={number}>
      <legend className="sr-only">
        Parameter {number}: {field.title}
      </legend>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <select
          aria-label={`Swept parameter ${number}`}
          value={row.param}
          onChange={(e) => {
            const other = fields.find(({ name }) => name === e.target.value);
            if (other) onChange({ param: other.name, values: suggestedValues(other) });
          }}
          className={cn(box, 'w-52 max-sm:w-full')}
        >
          {fields.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        {isNumeric(field) ? (
          <div role="radiogroup" aria-label={`Kind of values ${number}`} className="flex gap-4">
            {(['range', 'list'] as const).map((kind) => (
              <label key={kind} className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
                <input
                  type="radio"
                  name={`${id}-kind`}
                  checked={plain.kind === kind}
                  onChange={() => choose(kind)}
                  className="size-4 accent-accent"
                />
                {kind === 'range' ? 'Range' : 'List'}
              </label>
            ))}
          </div>
        ) : null}
        {onRemove ? (
          <IconButton label={`Remove parameter ${number}`} onClick={onRemove}>
            <X size={14} aria-hidden />
          </IconButton>
        ) : null}
      </div>
      {plain.kind === 'range' ? (
        <RangeFields field={field} range={plain} errors={errors} onChange={set} />
      ) : isNumeric(field) ? (
        <NumberList field={field} items={plain.items} error={errors.values} onChange={set} />
      ) : (
        <NameBoxes field={field} items={plain.items} error={errors.values} onChange={set} />
      )}
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-13 text-ink-2">
        <label htmlFor={`${id}-text`}>Expression</label>
        <input
          id={`${id}-text`}
          aria-label={`Values of parameter ${number}`}
          autoComplete="off"
          spellCheck={false}
          value={row.values}
          aria-invalid={Object.keys(errors).length > 0}
          aria-describedby={`${id}-fault`}
          onChange={(e) => set(e.target.value)}
          className={cn(box, 'num min-w-0 flex-1 text-13 sm:max-w-72')}
        />
        {values.length > 0 ? (
          <span data-sweep-values className="max-sm:w-full">
            {plural(values.length, 'value')}: {someOf(values.map((value) => valueText(field, value)))}
          </span>
        ) : null}
      </div>
      <Fault id={`${id}-fault`}>{errors.expression}</Fault>
    </fieldset>
  );
}

/** Most values that are listed in full. */
const MOST = 8;

const someOf = (texts: readonly string[]): string =>
  texts.length <= MOST ? texts.join(', ') : [...texts.slice(0, 3), '…', texts.at(-1)].join(', ');
