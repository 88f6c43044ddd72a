import { isFinal, type RunRecord } from '@verbslab/protocol';
import { Skeleton } from '../../ui/states';

/** What stands in the place of data that is not there: what will come, or after the run's end why nothing came. */
export interface Missing {
  soon: string;
  never: string;
}

export function Waiting({ record, soon, never }: { record: Pick<RunRecord, 'state'> } & Missing) {
  return (
    <p className="flex h-full items-center justify-center px-6 pb-6 text-center text-13 text-ink-3">
      {isFinal(record.state) ? never : soon}
    </p>
  );
}

/** Stands in the place of a panel whose code is on its way. */
export function PanelSkeleton() {
  return <Skeleton className="mx-3 mb-3 min-h-0 flex-1" />;
}
