import type { RunRecord, Transport } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { coverage } from './figures';

/** A figure of a run. One that covers only the time until the run ended early has a mark that says so. */
export function PerhapsPartial(props: { run: RunRecord; transport: Transport; children: ReactNode }) {
  const { run, transport, children } = props;
  if (!run.result?.transports[transport]?.partial) return children;
  const text = `Partial: it covers the run ${coverage(run)}.`;
  return (
    <span title={text} data-partial>
      {children}
      <span aria-hidden className="text-ink-3">
        *
      </span>
      <span className="sr-only">{text}</span>
    </span>
  );
}
