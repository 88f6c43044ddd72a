'use client';
import { useId, type ReactNode } from 'react';

/** The controls of an explanation, or of a part of it, one per line. */
export function ControlGroup({ label = 'Controls', children }: { label?: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className="max-w-[44rem] space-y-2">
      {children}
    </div>
  );
}

const ROW =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 text-13 sm:grid-cols-[13rem_minmax(0,1fr)_7rem]';

/** A slider over stops, which need not be evenly spaced. A value between two stops shows as the nearest one below. */
export function StopSlider(props: {
  label: string;
  stops: readonly number[];
  value: number;
  text: (value: number) => string;
  onChange: (value: number) => void;
}) {
  const { label, stops, value, text, onChange } = props;
  const id = useId();
  return (
    <div className={ROW}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={stops.length - 1}
        step={1}
        value={stopIndex(stops, value)}
        aria-valuetext={text(value)}
        onChange={(e) => onChange(stops[Number(e.target.value)]!)}
        className="order-last col-span-2 h-8 w-full accent-(--accent) sm:order-none sm:col-span-1 pointer-coarse:h-11"
      />
      <output htmlFor={id} className="num sm:text-right" data-words>
        {text(value)}
      </output>
    </div>
  );
}

export const stopIndex = (stops: readonly number[], value: number): number =>
  Math.max(
    0,
    stops.findLastIndex((stop) => stop <= value),
  );

/** The stop at or below a value that an address may name freely. */
export const onStop = (stops: readonly number[], value: number): number => stops[stopIndex(stops, value)]!;

export function Choice(props: {
  label: string;
  options: readonly { id: string; text: string }[];
  value: string;
  onChange: (id: string) => void;
}) {
  const { label, options, value, onChange } = props;
  const id = useId();
  return (
    <div className={ROW}>
      <label htmlFor={id} className="max-sm:col-span-2">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(e) => onChange(e.target.value)}
        className="col-span-2 h-9 min-w-0 rounded-[4px] border border-line-strong bg-panel px-2 pointer-coarse:h-11"
      >
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}
