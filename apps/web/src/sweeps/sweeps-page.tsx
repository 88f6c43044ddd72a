'use client';
import { plural } from '@verbslab/labs';
import { ID_FORM, type SweepRecord } from '@verbslab/protocol';
import { useSearchParams } from 'next/navigation';
import { sweepHref } from '../addresses';
import { Absent, useAbsent } from '../connection/absent';
import { useAgent } from '../connection/store';
import { when } from '../format/number';
import { buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { Empty, FailureNote, Skeleton, type Failure } from '../ui/states';
import { Unreadable } from '../ui/unreadable';
import { OpenSweep } from './open-sweep';
import { SweepBadge } from './sweep-badge';
import { axesOf } from './sweep-views';
import { useSweep, useSweeps } from '../connection/use-sweep';

/** Page of the sweep in `/sweeps?id=…`, in progress or ended. Without an id: the latest sweeps. */
export function SweepsPage() {
  const id = useSearchParams().get('id');
  if (id === null) return <SweepList />;
  if (ID_FORM.test(id)) return <OneSweep key={id} id={id} />;
  return (
    <FailureNote
      failure={{
        what: `There is no sweep “${id}”.`,
        why: 'A sweep ID has ten letters and digits; the address may have been cut off.',
        cure: 'Choose one from the list.',
      }}
      action={<AllSweeps />}
    />
  );
}

function AllSweeps() {
  return (
    <PageLink href="/sweeps" className={buttonStyle()}>
      All sweeps
    </PageLink>
  );
}

function OneSweep({ id }: { id: string }) {
  const { kept: known, failure } = useSweep(id);
  const absent = useAbsent();
  if (known) return <OpenSweep {...known} />;
  if (failure) return <FailureNote failure={failure} action={<AllSweeps />} />;
  return absent ? <Absent what="The sweep is shown here" /> : <SweepSkeleton />;
}

/** Skeleton of the header and the first charts. */
function SweepSkeleton() {
  return (
    <>
      <Skeleton className="h-7 w-64" />
      <Skeleton className="mt-3 h-5 w-96 max-w-full" />
      <Skeleton className="mt-3 h-1 w-64" />
      <div className="mt-10 grid gap-8 xl:grid-cols-2">
        <Skeleton className="h-80 w-full" />
        <Skeleton className="h-80 w-full" />
      </div>
    </>
  );
}

function SweepList() {
  const { kept, failure } = useSweeps();
  const { sweeps = null, unreadable = [] } = kept ?? {};
  return <ListOfSweeps {...{ sweeps, unreadable, failure }} absent={useAbsent()} />;
}

/** List of sweeps; `absent`: there is no agent to ask. */
export function ListOfSweeps(props: {
  /** Null until the agent has sent them. */
  sweeps: readonly SweepRecord[] | null;
  unreadable: readonly number[];
  failure: Failure | null;
  absent: boolean;
}) {
  const { sweeps, unreadable, failure, absent } = props;
  return (
    <>
      <h1 className="text-28 font-semibold">Sweeps</h1>
      <div className="mt-4">
        {sweeps === null && absent ? (
          <Absent what="The list of sweeps is shown here" />
        ) : sweeps === null && failure ? (
          <FailureNote failure={failure} />
        ) : sweeps === null ? (
          <Skeleton className="h-9 w-full" />
        ) : sweeps.length === 0 ? (
          <div className="border-y">
            <Empty
              action={
                <PageLink href="/labs" className={buttonStyle({ kind: 'primary' })}>
                  Choose a lab
                </PageLink>
              }
            >
              Every sweep will be kept here with its curves. Open Sweep below the parameters of a lab to start
              one.
            </Empty>
          </div>
        ) : (
          <ul className="divide-y border-y">
            {sweeps.map((sweep) => (
              <Item key={sweep.id} sweep={sweep} />
            ))}
          </ul>
        )}
        <Unreadable what="Sweep" numbers={unreadable} />
      </div>
    </>
  );
}

function Item({ sweep }: { sweep: SweepRecord }) {
  const { id, number, title, plan, state, measured, total, createdAt } = sweep;
  const lab = useAgent((s) => s.labs.find((one) => one.id === plan.lab));
  const over = axesOf(plan, lab).map((axis) => axis.title.toLowerCase());
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2">
      <span className="num text-ink-3">{number}</span>
      <PageLink
        href={sweepHref(id)}
        className="inline-flex min-h-8 items-center font-medium hover:text-accent pointer-coarse:min-h-11"
      >
        {title}
      </PageLink>
      <SweepBadge state={state} />
      <span className="text-13 text-ink-2">
        over {over.join(' and ')}, {measured} of {plural(total, 'run')}
      </span>
      <span className="num text-13 text-ink-3">{when(createdAt)}</span>
    </li>
  );
}
