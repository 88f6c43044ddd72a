import { hint, type Field, type Verdict } from '@verbslab/labs/exercises';
import { Check, CircleHelp, X } from 'lucide-react';
import { useId } from 'react';
import { cn } from '../ui/cn';

const BOX = 'num h-9 rounded-[4px] border border-line-strong bg-panel px-2.5 pointer-coarse:h-11';

interface FieldProps {
  field: Field;
  /** True if it is the only field of its exercise. */
  alone: boolean;
  value: string;
  verdict: Verdict | null;
  onChange: (value: string) => void;
}

/** Field for an answer: a number, a text, or one of several options. */
export function ExerciseField({ field, alone, value, verdict, onChange }: FieldProps) {
  const id = useId();
  if (field.kind === 'choice' && alone)
    return (
      <fieldset data-field={field.id} data-verdict={verdict ?? undefined}>
        <legend className="sr-only">{field.label}</legend>
        {field.options.map((option) => (
          <label key={option.id} className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
            <input
              type="radio"
              name={id}
              checked={value === option.id}
              onChange={() => onChange(option.id)}
              className="size-4 shrink-0 accent-accent"
            />
            {option.text}
            {value === option.id ? <Mark verdict={verdict} /> : null}
          </label>
        ))}
      </fieldset>
    );
  const note = hint(field);
  return (
    <div data-field={field.id} data-verdict={verdict ?? undefined} className="min-w-0">
      <label htmlFor={id} className="block text-13 text-ink-2">
        {field.label}
      </label>
      <span className="mt-1 flex items-center gap-2">
        {field.kind === 'choice' ? (
          <select
            id={id}
            value={value}
            onChange={(e) => onChange(e.target.value)}
            className={cn(BOX, 'max-w-full')}
          >
            <option value="">Choose</option>
            {field.options.map((option) => (
              <option key={option.id} value={option.id}>
                {option.text}
              </option>
            ))}
          </select>
        ) : (
          <input
            id={id}
            type="text"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            aria-describedby={note === null ? undefined : `${id}-note`}
            value={value}
            onChange={(e) => onChange(e.target.value)}
            className={cn(BOX, field.kind === 'text' ? 'w-80 max-w-full' : 'w-44')}
          />
        )}
        <Mark verdict={verdict} />
      </span>
      {note === null ? null : (
        <span id={`${id}-note`} className="mt-0.5 block text-12 text-ink-3 print:hidden">
          {note}
        </span>
      )}
    </div>
  );
}

function Mark({ verdict }: { verdict: Verdict | null }) {
  switch (verdict) {
    case 'right':
      return <Check size={16} className="shrink-0 text-ok-ink print:hidden" role="img" aria-label="Right" />;
    case 'wrong':
      return (
        <X size={16} className="shrink-0 text-error-ink print:hidden" role="img" aria-label="Not right" />
      );
    case 'unread':
      return (
        <CircleHelp
          size={16}
          className="shrink-0 text-ink-3 print:hidden"
          role="img"
          aria-label="No answer that can be read"
        />
      );
    case null:
      return null;
  }
}
