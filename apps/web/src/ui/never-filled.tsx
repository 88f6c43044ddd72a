import type { ComponentProps } from 'react';

/** Content of a panel that stays empty. The panel is then one line: see `.panel` in globals.css. */
export function NeverFilled(props: ComponentProps<'p'> & { 'data-shows'?: string; 'data-words'?: boolean }) {
  return <p {...props} className="py-1.5 text-13 text-ink-3" data-never-filled />;
}
