import { Skeleton } from '../ui/states';

/** The latest runs until they are loaded. */
export function RecentWaiting() {
  return (
    <div aria-busy className="grid h-28 content-around border-y py-2">
      <Skeleton className="h-3 w-full max-w-[48rem]" />
      <Skeleton className="h-3 w-full max-w-[44rem]" />
      <Skeleton className="h-3 w-full max-w-[46rem]" />
    </div>
  );
}
