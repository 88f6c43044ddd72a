'use client';
import { cn } from './cn';

/** Index of the tab that a key moves to, among `count` tabs; null for other keys. */
function moved(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return null;
}

/** Tabs of a panel with the id `${id}panel` and the label `${id}tab${at}`. */
export function TabList(props: {
  id: string;
  label: string;
  titles: readonly string[];
  at: number;
  onChange: (at: number) => void;
}) {
  const { id, label, titles, at, onChange } = props;
  return (
    <div role="tablist" aria-label={label} className="flex flex-wrap border-b">
      {titles.map((title, i) => (
        <button
          key={title}
          type="button"
          role="tab"
          id={`${id}tab${i}`}
          aria-selected={i === at}
          aria-controls={`${id}panel`}
          tabIndex={i === at ? 0 : -1}
          onClick={() => onChange(i)}
          onKeyDown={(e) => {
            const to = moved(e.key, at, titles.length);
            if (to === null) return;
            e.preventDefault();
            onChange(to);
            document.getElementById(`${id}tab${to}`)?.focus();
          }}
          className={cn(
            '-mb-px h-9 border-b-2 px-3 text-13 pointer-coarse:h-11',
            i === at ? 'border-accent font-medium' : 'border-transparent text-ink-2 hover:text-ink',
          )}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
