'use client';
import { useId } from 'react';
import { Explained } from '../../ui/explained';
import type { Dial } from './stops';
import { stopOf } from './draft';

export interface SliderProps {
  dial: Dial;
  value: number;
  /** True if the endpoints have different values. */
  mixed: boolean;
  disabled: boolean;
  onChange: (value: number) => void;
}

/** Slider of a dial, with wider steps where small ones make no difference. */
export function Slider({ dial, value, mixed, disabled, onChange }: SliderProps) {
  const id = useId();
  const { stops } = dial;
  const text = mixed ? '–' : dial.text(value);
  return (
    <div className="grid grid-cols-[6rem_minmax(0,1fr)_5.5rem] items-center gap-x-3 text-13">
      <label htmlFor={id}>
        <Explained meaning={dial.meaning}>{dial.title}</Explained>
      </label>
      <input
        id={id}
        type="range"
        aria-label={dial.title}
        min={0}
        max={stops.length - 1}
        step={1}
        value={stopOf(dial, value)}
        aria-valuetext={mixed ? 'different' : text}
        disabled={disabled}
        onChange={(e) => onChange(stops[Number(e.target.value)]!)}
        className="h-8 w-full accent-(--accent) pointer-coarse:h-11"
      />
      <output htmlFor={id} className="num text-right">
        {text}
      </output>
    </div>
  );
}
