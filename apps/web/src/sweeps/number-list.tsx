'use client';
import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { allowed, type Field } from '../model/fields';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { box, Fault } from './form-parts';
import { refusal } from './plain-values';

interface NumberListProps {
  field: Field;
  items: readonly string[];
  error: string | undefined;
  onChange: (expression: string) => void;
}

/** Numbers picked one by one. */
export function NumberList({ field, items, error, onChange }: NumberListProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const add = () => {
    const reason = refusal(field, items, typed);
    setRefused(reason);
    if (reason !== null) return;
    onChange([...items, typed.trim()].join(','));
    setTyped('');
  };
  return (
    <>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {items.map((item, at) => (
          <Button
            key={at}
            aria-label={`Remove ${item}`}
            onClick={() => onChange(items.filter((_, i) => i !== at).join(','))}
          >
            <span className="num">{item}</span>
            <X size={12} aria-hidden />
          </Button>
        ))}
        <span className="flex items-center gap-2">
          <input
            aria-label="New value"
            placeholder="New value"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            aria-invalid={refused !== null}
            aria-describedby={`${id}-fault ${id}-help`}
            onChange={(e) => {
              setTyped(e.target.value);
              setRefused(null);
            }}
            onKeyDown={(e) => {
              // Enter adds the value, and starts nothing.
              if (e.key !== 'Enter') return;
              e.preventDefault();
              e.stopPropagation();
              add();
            }}
            className={cn(box, 'num w-28')}
          />
          <Button onClick={add}>
            <Plus size={14} aria-hidden />
            Add value
          </Button>
        </span>
      </div>
      <p id={`${id}-help`} className="mt-1 text-13 text-ink-3 empty:hidden">
        {field.minimum === undefined ? '' : `${allowed(field)}.`}
      </p>
      <Fault id={`${id}-fault`}>{refused ?? error}</Fault>
    </>
  );
}
