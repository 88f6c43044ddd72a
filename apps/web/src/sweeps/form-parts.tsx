import type { ReactNode } from 'react';

/** Style of a text field or a select in the form of a sweep. */
export const box =
  'h-9 rounded-[4px] border border-line-strong bg-panel px-2.5 text-14 pointer-coarse:h-11 aria-invalid:border-error';

/** Error in the field above; without an error it takes no space. */
export function Fault({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p
      id={id}
      role={children ? 'alert' : undefined}
      className="mt-1 max-w-[60ch] text-13 text-error-ink empty:hidden"
    >
      {children}
    </p>
  );
}
