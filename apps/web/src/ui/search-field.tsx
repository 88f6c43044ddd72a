import { useId } from 'react';

/** Field that filters the list below it, with the number of matches. */
export function SearchField(props: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  shown: number;
  all: number;
  /** Plural name of the items in the list. */
  things: string;
}) {
  const { label, value, onChange, shown, all, things } = props;
  const id = useId();
  return (
    <div className="mt-2 max-w-[44rem]">
      <label htmlFor={id} className="block text-13 font-medium">
        {label}
      </label>
      <input
        id={id}
        type="search"
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(e) => onChange(e.target.value)}
        className="num mt-1 block h-8 w-full rounded-[4px] border border-line-strong bg-panel px-2.5 text-13 pointer-coarse:min-h-11"
      />
      <p role="status" className="mt-1 text-12 text-ink-3">
        {shown} of {all} {things}
      </p>
    </div>
  );
}
