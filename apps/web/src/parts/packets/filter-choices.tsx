import type { Candidate } from '@verbslab/roce';
import { useEffect, useRef } from 'react';
import { cn } from '../../ui/cn';

/** Completions for a filter at the caret. The focus stays in the input; the list follows its keys. */
export function FilterChoices(props: {
  id: string;
  candidates: readonly Candidate[];
  active: number;
  onChoose: (i: number) => void;
}) {
  const { id, candidates, active, onChoose } = props;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <ul
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label="Completions"
      hidden={candidates.length === 0}
      className="thin-scroll absolute top-full left-0 z-20 mt-1 max-h-64 w-full max-w-[36rem] overflow-auto rounded-[4px] border border-line-strong bg-panel py-1 shadow-lg"
    >
      {candidates.map(({ text, label }, i) => (
        // The input has the focus and handles the keys.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <li
          key={text}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === active}
          // Keeps the focus in the input.
          onMouseDown={(e) => e.preventDefault()}
          onClick={() => onChoose(i)}
          className={cn(
            'flex min-h-7 cursor-default flex-wrap items-baseline gap-x-3 px-2 py-0.5 text-13 pointer-coarse:min-h-11 pointer-coarse:items-center',
            i === active ? 'bg-accent-wash' : 'hover:bg-hover',
          )}
        >
          <span className="num">{text}</span>
          <span className="min-w-0 text-12 text-ink-3">{label}</span>
        </li>
      ))}
    </ul>
  );
}
