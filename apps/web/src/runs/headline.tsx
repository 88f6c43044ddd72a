import { shownFigures } from '@verbslab/labs';
import {
  describedBy,
  transportName,
  linkOfRun,
  TRANSPORTS,
  type LabDescription,
  type RunRow,
} from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { goodput } from '../format/number';
import { cn } from '../ui/cn';
import type { RunColumn } from './columns';
import { PerhapsPartial } from './partial';
import { goodputCell, goodputOf, TRANSPORT_INK } from '../parts/run/transport-figures';

/** Id of the column with the headline of each run. */
export const HEADLINE = 'headline';

interface Headline {
  /** Measured quantity. Sorting by the headline groups runs by it. */
  label: string;
  value: number;
  cell: ReactNode;
}

/** The first figure that the lab declares. For a program or a lab without figures, the goodput. */
function headlineOf(run: RunRow, labs: readonly LabDescription[]): Headline | null {
  const lab = describedBy(labs, run);
  const first = shownFigures(run.result?.results, lab)[0];
  if (first) {
    const { label, raw, shown } = first;
    return {
      label,
      value: raw ?? 0,
      cell: (
        <Line shows="run-results" label={label}>
          {shown.value}
          {shown.unit === '' ? null : <span className="unit">{`\u00a0${shown.unit}`}</span>}
        </Line>
      ),
    };
  }
  const transport = TRANSPORTS.find((one) => goodputOf(run, one) !== null);
  if (!transport) return null;
  const label = `${transportName(transport, linkOfRun(run, transport))} goodput`;
  return {
    label,
    value: goodputOf(run, transport)!,
    cell: (
      <Line label={label} ink={TRANSPORT_INK[transport]}>
        <span data-shows="run-goodput" data-transport={transport}>
          <PerhapsPartial run={run} transport={transport}>
            {goodputCell(run, transport)}
          </PerhapsPartial>
        </span>
        <Unit run={run} transport={transport} />
      </Line>
    ),
  };
}

/** Unit of a goodput far below 1 Gb/s, because the column's unit is Gb/s. */
function Unit({ run, transport }: { run: RunRow; transport: (typeof TRANSPORTS)[number] }) {
  const { unit } = goodput(goodputOf(run, transport));
  return unit === 'Gb/s' ? <span className="unit">{'\u00a0Gb/s'}</span> : null;
}

function Line(props: { label: string; ink?: string; shows?: string; children: ReactNode }) {
  const { label, ink, shows, children } = props;
  return (
    <span className="flex items-baseline justify-between gap-3" data-shows={shows}>
      <span className={cn('min-w-0 truncate font-sans text-13', ink ?? 'text-ink-2')} data-label>
        {label}
      </span>{' '}
      <span className="num shrink-0 whitespace-nowrap">{children}</span>
    </span>
  );
}

export function headlineColumn(labs: readonly LabDescription[]): RunColumn {
  const known = new WeakMap<RunRow, { is: Headline | null }>();
  const of = (run: RunRow): Headline | null => {
    const found = known.get(run) ?? { is: headlineOf(run, labs) };
    known.set(run, found);
    return found.is;
  };
  return {
    id: HEADLINE,
    title: 'Figure',
    width: 15,
    sort: (run) => of(run)?.label ?? null,
    then: (run) => of(run)?.value ?? null,
    cell: (run) => of(run)?.cell ?? '–',
  };
}
