import { Button, PRESSED } from '../ui/button';

/** A few named states of a figure, as buttons. */
export function PressedChoice(props: {
  label: string;
  options: readonly { name: string; text: string }[];
  value: string;
  onChange: (name: string) => void;
}) {
  const { label, options, value, onChange } = props;
  return (
    <div role="group" aria-label={label} className="flex flex-wrap items-center gap-2 text-13">
      <span aria-hidden className="font-medium">
        {label}
      </span>
      {options.map(({ name, text }) => (
        <Button
          key={name}
          shape="tight"
          aria-pressed={value === name}
          className={PRESSED}
          onClick={() => onChange(name)}
        >
          {text}
        </Button>
      ))}
    </div>
  );
}
