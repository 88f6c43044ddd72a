import type { RunRow, Transport } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { Explained } from '../ui/explained';
import { coverage } from '../parts/run/transport-figures';

/** A figure of a run. One that covers only the time until the run ended early has a mark that says so. */
export function PerhapsPartial(props: { run: RunRow; transport: Transport; children: ReactNode }) {
  const { run, transport, children } = props;
  if (!run.result?.transports[transport]?.partial) return children;
  const text = `Partial: it covers the run ${coverage(run)}.`;
  return (
    <span data-partial>
      {children}
      <Explained meaning={text} className="cursor-help text-ink-3">
        *
      </Explained>
    </span>
  );
}
