import { useState } from 'react';
import { cn } from '../../ui/cn';
import { changeCurve, CURVE_LOOKS, useCurves, type IoUnit } from './curves-store';
import type { Curve } from './use-curve';

const UNITS: readonly [IoUnit, string][] = [
  ['packets', 'packets/s'],
  ['bytes', 'bytes/s'],
];

/** Curves of the I/O graph: a switch and a filter each, and the unit of all. */
export function CurveList({ drawn }: { drawn: readonly Curve[] }) {
  const { curves, unit } = useCurves();
  return (
    <div className="flex min-w-0 flex-col gap-1 py-1 text-12">
      {curves.map(({ filter, on }, i) => (
        <CurveRow key={i} at={i} filter={filter} on={on} error={drawn[i]?.error?.what ?? null} />
      ))}
      <label className="flex items-center gap-2 text-ink-2">
        Unit
        <select
          value={unit}
          onChange={(e) => useCurves.setState({ unit: e.target.value as IoUnit })}
          className="min-h-6 rounded-[4px] border bg-panel px-1 pointer-coarse:min-h-11"
        >
          {UNITS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function CurveRow(props: { at: number; filter: string; on: boolean; error: string | null }) {
  const { at, filter, on, error } = props;
  const [draft, setDraft] = useState(filter);
  const [known, setKnown] = useState(filter);
  if (known !== filter) {
    setKnown(filter);
    setDraft(filter);
  }
  const { line, dash } = CURVE_LOOKS[at]!;
  const apply = () => changeCurve(at, { filter: draft.trim(), on: true });
  const name = `Curve ${at + 1}`;
  return (
    <div className="flex items-center gap-2">
      <button
        type="button"
        aria-label={name}
        aria-pressed={on}
        title={on ? 'Hide this curve' : 'Show this curve'}
        onClick={() => changeCurve(at, { on: !on })}
        className="flex size-6 shrink-0 items-center justify-center rounded-[4px] border border-transparent hover:bg-hover aria-pressed:border-line-strong pointer-coarse:size-11"
      >
        <svg width="16" height="8" aria-hidden className={cn(!on && 'opacity-50')}>
          <path d="M0 4H16" stroke={line} strokeWidth="2.5" strokeDasharray={dash} />
        </svg>
      </button>
      <input
        type="text"
        aria-label={`Filter of curve ${at + 1}`}
        aria-invalid={error !== null}
        title={error ?? undefined}
        placeholder="all packets"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={draft}
        onChange={(e) => setDraft(e.target.value)}
        onKeyDown={(e) => {
          if (e.key === 'Enter') apply();
          else if (e.key === 'Escape') setDraft(filter);
        }}
        onBlur={() => {
          if (draft.trim() !== filter) apply();
        }}
        className={cn(
          'num h-6 min-w-0 flex-1 rounded-[4px] border bg-panel px-1.5 text-12 pointer-coarse:h-11',
          error === null ? 'border-line-strong' : 'border-error',
        )}
      />
    </div>
  );
}
