'use client';
import { useCallback, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useFigureWidth } from '../../ui/use-figure-width';
import type { Handle } from './handles';
import type { Ladder } from './ladder';
import { LadderFigure } from './ladder-figure';
import { layoutOf } from './ladder-layout';

/** Place of the chosen handle after a key; null: the key does nothing here. */
function moved(key: string, at: number, count: number): number | null {
  if (key === 'ArrowDown' || key === 'ArrowRight') return Math.min(count - 1, at + 1);
  if (key === 'ArrowUp' || key === 'ArrowLeft') return Math.max(0, at - 1);
  return key === 'Home' ? 0 : key === 'End' ? count - 1 : null;
}

/** A ladder whose packets can be pressed, by mouse and by keys: arrows choose, x presses. */
export function PressedLadder(props: {
  ladder: Ladder;
  handles: readonly Handle[];
  label: string;
  onPress: (name: string) => void;
}) {
  const { ladder, handles, label, onPress } = props;
  const place = useRef<HTMLDivElement>(null);
  const width = useFigureWidth(place);
  const layout = useMemo(() => layoutOf(ladder, width), [ladder, width]);
  const [asked, setAsked] = useState<string | null>(null);
  const [focused, setFocused] = useState(false);
  const id = useId();
  const idOf = useCallback((name: string) => `${id}-${name}`, [id]);
  const at = Math.max(
    0,
    handles.findIndex(({ name }) => name === asked),
  );
  const chosen = focused ? (handles[at]?.name ?? null) : null;
  const press = useCallback(
    (name: string) => {
      setAsked(name);
      onPress(name);
    },
    [onPress],
  );
  const onKey = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) return;
    const to = moved(e.key, at, handles.length);
    const presses = e.key === 'x' || e.key === 'Enter' || e.key === ' ';
    if (to === null && !presses) return;
    e.preventDefault();
    e.stopPropagation();
    if (to !== null) setAsked(handles[to]?.name ?? null);
    else if (handles[at]) press(handles[at].name);
  };
  return (
    <div
      ref={place}
      role="listbox"
      aria-label={label}
      aria-multiselectable
      aria-activedescendant={chosen === null ? undefined : idOf(chosen)}
      tabIndex={0}
      onKeyDown={onKey}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      className="min-w-0"
      data-ladder
    >
      <LadderFigure {...{ ladder, layout, handles, chosen, idOf }} onPress={press} />
    </div>
  );
}
