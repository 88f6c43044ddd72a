import { Skeleton } from '../../ui/states';

/** Stands in the place of a chart that has no data yet. */
export function Waiting({ children }: { children: string }) {
  return (
    <p className="flex h-full items-center justify-center px-6 pb-6 text-center text-13 text-ink-3">
      {children}
    </p>
  );
}

/** Stands in the place of a panel whose code is on its way. */
export function PanelSkeleton() {
  return <Skeleton className="mx-3 mb-3 min-h-0 flex-1" />;
}
