'use client';
import { Check, Copy } from 'lucide-react';
import { Button, IconButton } from './button';
import { useCopy } from './use-copy';

/** Copies what `source` gives. Without `text` it is a picture only, which `label` names. */
export function CopyButton(props: {
  source: () => string;
  label: string;
  text?: string;
  className?: string;
}) {
  const { source, label, text, className } = props;
  const { said, copied, copy } = useCopy();
  const icon = copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />;
  const onClick = () => void copy(source());
  return (
    <>
      {text ? (
        <Button aria-label={label} onClick={onClick} className={className}>
          {icon}
          {text}
        </Button>
      ) : (
        <IconButton label={label} onClick={onClick} className={className}>
          {icon}
        </IconButton>
      )}
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}
