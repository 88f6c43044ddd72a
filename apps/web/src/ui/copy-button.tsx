'use client';
import { Check, Copy } from 'lucide-react';
import { Button, IconButton } from './button';
import { useCopy } from './use-copy';

interface CopyButtonProps {
  source: () => string;
  className?: string;
}

/** Copies what `source` gives. Without `text` it is a picture only, which `label` names. With both, `label` contains `text`. */
export function CopyButton(
  props: CopyButtonProps & ({ text: string; label?: string } | { text?: undefined; label: string }),
) {
  const { source, label, text, className } = props;
  const { said, copied, copy } = useCopy();
  const icon = copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />;
  const onClick = () => void copy(source());
  return (
    <>
      {props.text === undefined ? (
        <IconButton label={props.label} onClick={onClick} className={className}>
          {icon}
        </IconButton>
      ) : (
        <Button aria-label={label} onClick={onClick} className={className}>
          {icon}
          {text}
        </Button>
      )}
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}
