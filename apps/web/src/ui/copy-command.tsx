'use client';
import { Check, Copy } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from './button';
import { useCopy } from './use-copy';

/** A command line to take to a terminal. Where the clipboard cannot be written, it is selected instead. */
export function CopyCommand({ command }: { command: string }) {
  const code = useRef<HTMLElement>(null);
  const { said, copied, copy } = useCopy('Selected: press Ctrl C');

  async function take() {
    if (!(await copy(command)) && code.current) getSelection()?.selectAllChildren(code.current);
  }

  return (
    <div className="w-full">
      <div className="flex items-center gap-1 rounded-[4px] border border-line-strong bg-panel pl-2.5">
        <code ref={code} className="num min-w-0 flex-1 py-1 text-12 wrap-anywhere text-ink">
          {command}
        </code>
        <IconButton label="Copy the command" onClick={() => void take()}>
          {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
        </IconButton>
      </div>
      <p role="status" className="min-h-5 text-12 text-ink-3">
        {said}
      </p>
    </div>
  );
}
