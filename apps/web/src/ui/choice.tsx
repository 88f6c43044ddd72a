/** A choice among a few values, with its name before it. */
export function Choice(props: {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChange: (v: string) => void;
}) {
  return (
    <label className="flex items-center gap-2 text-13 max-sm:w-full">
      <span className="shrink-0 text-ink-3 max-sm:min-w-12">{props.label}</span>
      <select
        value={props.value}
        onChange={(e) => props.onChange(e.target.value)}
        className="h-8 max-w-52 max-sm:max-w-none max-sm:flex-1 max-sm:min-w-0 rounded-[4px] border border-line-strong bg-panel px-2 pointer-coarse:h-11"
      >
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
