'use client';
import type { RangeParts } from '@verbslab/labs';
import { useId, type ReactNode } from 'react';
import { allowed, type Field } from '../model/fields';
import { cn } from '../ui/cn';
import { box, Fault } from './form-parts';
import { rangeText, type RowErrors } from './plain-values';

interface RangeFieldsProps {
  field: Field;
  range: RangeParts;
  errors: RowErrors;
  onChange: (expression: string) => void;
}

/** From, to, and how to get from one value to the next. */
export function RangeFields({ field, range, errors, onChange }: RangeFieldsProps) {
  const id = useId();
  const set = (part: Partial<RangeParts>) => onChange(rangeText({ ...range, ...part }));
  const unit = field.unit === 'B' ? null : field.unit;
  const text = (part: 'from' | 'to' | 'by', label: string, after: ReactNode) => (
    <span className="flex items-center gap-2">
      <input
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        inputMode={field.unit === 'B' ? 'text' : 'decimal'}
        value={range[part]}
        aria-invalid={errors[part] !== undefined}
        aria-describedby={`${id}-${part} ${id}-help`}
        onChange={(e) => set({ [part]: e.target.value })}
        className={cn(box, 'num w-28')}
      />
      {after ? <span className="unit text-13">{after}</span> : null}
    </span>
  );
  return (
    <div className="mt-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span aria-hidden>From</span>
        {text('from', 'From', unit)}
        <span aria-hidden>to</span>
        {text('to', 'To', unit)}
        <span className="flex flex-wrap items-center gap-2">
          <select
            aria-label="Step"
            value={range.sign}
            onChange={(e) => set({ sign: e.target.value as RangeParts['sign'] })}
            className={box}
          >
            {range.sign === '' ? <option value="">step by</option> : null}
            <option value="*">multiply by</option>
            <option value="+">add</option>
          </select>
          {text(
            'by',
            range.sign === '+' ? 'Amount per step' : 'Factor per step',
            range.sign === '+' ? unit : null,
          )}
        </span>
      </div>
      <p id={`${id}-help`} className="mt-1 text-13 text-ink-3 empty:hidden">
        {field.minimum === undefined ? '' : `${allowed(field)}.`}
      </p>
      {(['from', 'to', 'by'] as const).map((part) => (
        <Fault key={part} id={`${id}-${part}`}>
          {errors[part] === undefined ? null : `${NAMES[part]}: ${errors[part]}`}
        </Fault>
      ))}
    </div>
  );
}

const NAMES = { from: 'From', to: 'To', by: 'Step' };
