'use client';
import { useId } from 'react';
import type { Field } from '../model/fields';
import { Fault } from './form-parts';
import { namesOf, nameText, withName } from './plain-values';

interface NameBoxesProps {
  field: Field;
  items: readonly string[];
  error: string | undefined;
  onChange: (expression: string) => void;
}

/** The values of a parameter that are names, each with a box to tick. */
export function NameBoxes({ field, items, error, onChange }: NameBoxesProps) {
  const id = useId();
  return (
    <>
      <div
        role="group"
        aria-label={`Values of ${field.title}`}
        aria-describedby={id}
        className="mt-2 flex flex-wrap gap-x-5"
      >
        {namesOf(field).map((name) => (
          <label key={name} className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              checked={items.includes(name)}
              onChange={(e) => onChange(withName(field, items, name, e.target.checked))}
              className="size-4 accent-accent"
            />
            {nameText(field, name)}
          </label>
        ))}
      </div>
      <Fault id={id}>{error}</Fault>
    </>
  );
}
