import { Skeleton } from '../ui/states';

/** The shape of a run page in gray. */
export function RunSkeleton() {
  return (
    <div aria-busy aria-label="The run is being loaded">
      <div className="flex h-7 items-center">
        <Skeleton className="h-5 w-96 max-w-full" />
      </div>
      <div className="mt-1 flex h-8 items-center">
        <Skeleton className="h-3 w-[32rem] max-w-full" />
      </div>
      <div className="mt-6 grid gap-3 lg:grid-cols-12">
        <Skeleton className="h-[15rem] lg:col-span-7" />
        <Skeleton className="h-[15rem] lg:col-span-5" />
        <Skeleton className="h-[13rem] lg:col-span-7" />
        <Skeleton className="h-[13rem] lg:col-span-5" />
      </div>
    </div>
  );
}
