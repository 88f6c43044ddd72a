import { isFinal, type RunRecord } from '@verbslab/protocol';
import { useAgent } from '../../connection/store';
import { NeverFilled } from '../../ui/never-filled';
import { Skeleton } from '../../ui/states';
import { useReplaying } from '../../connection/replaying';

/** Texts in place of missing data: an announcement, or after the end of the run the reason. */
export interface Missing {
  soon: string;
  never: string;
}

const TOO_SHORT = 'Too short to sample: a line needs at least two samples, and ten are taken per second.';

/** Reason why a chart over time has nothing to draw yet or ever; null if it can be drawn. */
export function seriesMissing(
  record: Pick<RunRecord, 'state'>,
  rows: readonly unknown[],
  missing: Missing,
): Missing | null {
  if (rows.length === 0) return missing;
  // A single sample is a point, which no line shows: the chart would look like zero.
  return isFinal(record.state) && rows.length === 1 ? { soon: missing.soon, never: TOO_SHORT } : null;
}

export function Waiting({ record, soon, never }: { record: Pick<RunRecord, 'state'> } & Missing) {
  const replaying = useReplaying();
  if (replaying) return <Skeleton className="mx-3 mb-3 h-full min-h-0 flex-1" />;
  if (isFinal(record.state)) return <NeverFilled data-words>{never}</NeverFilled>;
  return (
    <p className="flex h-full items-center justify-center px-6 pb-6 text-center text-13 text-ink-3">{soon}</p>
  );
}

/**
 * Placeholder of a panel whose code is being loaded. Without the agent, which serves the code, loading cannot succeed.
 */
export function PanelSkeleton() {
  const lost = useAgent((s) => s.status === 'lost');
  if (lost)
    return (
      <p className="flex h-full items-center justify-center px-6 pb-6 text-center text-13 text-ink-3">
        This panel was not loaded before the connection was lost. It appears when the agent answers.
      </p>
    );
  return <Skeleton className="mx-3 mb-3 min-h-0 flex-1" />;
}
