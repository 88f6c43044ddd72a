import { useState, type DragEvent, type RefObject } from 'react';

/** File dialog of the platform. A button beside it opens it by a click on the input. */
export function FileInput(props: {
  input: RefObject<HTMLInputElement | null>;
  label: string;
  accept: string;
  onFile: (file: File) => void;
}) {
  const { input, label, accept, onFile } = props;
  return (
    <input
      ref={input}
      type="file"
      aria-label={label}
      accept={accept}
      className="sr-only"
      tabIndex={-1}
      onChange={(e) => {
        const file = e.target.files?.[0];
        // Reset, so that the same file can be chosen again.
        e.target.value = '';
        if (file) onFile(file);
      }}
    />
  );
}

/** Handlers for a file that is dropped on an element. A shortcut: a button does the same for the keyboard. */
export function useFileDrop(onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  const hasFile = (e: DragEvent) => e.dataTransfer.types.includes('Files');
  const handlers = {
    onDragOver: (e: DragEvent) => {
      if (!hasFile(e)) return;
      e.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (e: DragEvent) => {
      if (!hasFile(e)) return;
      e.preventDefault();
      setOver(false);
      const file = e.dataTransfer.files[0];
      if (file) onFile(file);
    },
  };
  return { over, handlers };
}
