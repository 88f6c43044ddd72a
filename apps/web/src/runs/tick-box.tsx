'use client';
import { useEffect, useRef, type MouseEvent } from 'react';

/** A box to tick, large enough for a finger. It lies above the link of its row. */
export function TickBox(props: {
  label: string;
  ticked: boolean;
  /** Some of what it stands for is ticked, and some is not. */
  mixed?: boolean;
  onTick: (on: boolean, range: boolean) => void;
}) {
  const { label, ticked, mixed = false, onTick } = props;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <label className="relative z-1 -ml-2 flex size-8 cursor-pointer items-center justify-center select-none pointer-coarse:size-11">
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={ticked}
        onChange={(e) => onTick(e.target.checked, (e.nativeEvent as unknown as MouseEvent).shiftKey)}
        className="size-4 accent-accent"
      />
    </label>
  );
}
