'use client';
import { useEffect, useState, type Ref } from 'react';
import { useTold } from './use-told';

/** Search box. Text typed without a pause is a single step in the browser's history. */
export function SearchBox(props: {
  label: string;
  /** Searched content, and how the words are combined. */
  meaning: string;
  value: string;
  onChange: (text: string, step: boolean) => void;
  /** Field, for the shortcut that focuses it. */
  ref: Ref<HTMLInputElement>;
}) {
  const { label, meaning, value, onChange, ref } = props;
  const told = useTold(meaning);
  // The address is updated a moment later; until then the box keeps the typed text.
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [typing, setTyping] = useState(false);
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
        ref={ref}
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
