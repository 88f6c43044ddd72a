'use client';
import { useEffect, useMemo, useRef, useState } from 'react';
import { usePageHandle } from '../actions/page-store';
import { useTold } from './use-told';

/** The whole of what is typed in one go is one step for Back. */
export function SearchBox(props: {
  label: string;
  /** What is searched, and how the words count. */
  meaning: string;
  value: string;
  onChange: (text: string, step: boolean) => void;
}) {
  const { label, meaning, value, onChange } = props;
  const told = useTold(meaning);
  // The address follows a moment later; until then the box has what was typed.
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [typing, setTyping] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  usePageHandle(useMemo(() => ({ focusFilter: () => input.current?.focus() }), []));
  if (known !== value) {
    setKnown(value);
    if (!typing) setTyped(value);
  }
  useEffect(() => {
    const onBack = () => setTyping(false);
    addEventListener('popstate', onBack);
    return () => removeEventListener('popstate', onBack);
  }, []);
  return (
    <>
      <input
        ref={input}
        {...told.props}
        type="search"
        aria-label={label}
        placeholder="Search"
        value={typed}
        onChange={(e) => {
          setTyped(e.target.value);
          onChange(e.target.value, !typing);
          setTyping(true);
        }}
        onBlur={() => {
          told.props.onBlur();
          setTyping(false);
        }}
        className="h-8 w-48 rounded-[4px] border border-line-strong bg-panel px-2 text-13 max-sm:w-full pointer-coarse:h-11"
      />
      {told.tip}
    </>
  );
}
