import { transportName, TRANSPORTS, type Transport } from '@verbslab/protocol';
import { seriesView } from '@verbslab/charts/data';
import { TRANSPORT_COLOR, type TransportColor } from '../../parts/charts/colors';
import { figures } from '../../model/figures';
import type { RunModel } from '../../model/run-model';
import type { Compared, RunLine } from '../use-compared';

/** Line styles of runs A to F, which tell them apart without color: color shows the transport. */
export const RUN_DASHES: readonly (string | undefined)[] = [
  undefined,
  '8 3',
  '2 3',
  '10 3 2 3',
  '16 4',
  '6 2 2 2 2 2',
];

/** Name of the transport, with the link that carried it if known. */
export const nameOfLine = ({ run, transport }: RunLine): string =>
  transportName(transport, run.view.model.linkOf(transport));

/** Color of the transport. RDMA that used only shared memory has the color of that link. */
export const colorOfLine = ({ run, transport }: RunLine): TransportColor =>
  TRANSPORT_COLOR[transport === 'rdma' && run.view.model.linkOf('rdma') === 'shm' ? 'shm' : transport];

/** Transports that a run has measured, or is measuring. */
export function transportsOf(model: RunModel): Transport[] {
  const known = new Set([
    ...figures(model).map(({ transport }) => transport),
    ...seriesView(model).transports,
  ]);
  return TRANSPORTS.filter((one) => known.has(one));
}

export interface LineChoice {
  /** Transports that at least one of the runs has. */
  all: Transport[];
  shown: Transport[];
  lines: RunLine[];
}

/** Most lines in a chart that can be told apart easily. */
const MOST_LINES = 6;

/**
 * Transports in the charts: those asked for, if any; else all, if those are few lines; else the first one that most
 * runs have. Hidden runs have no line.
 */
export function lineChoice(
  runs: readonly Compared[],
  asked: readonly Transport[] | null,
  hidden: readonly string[],
): LineChoice {
  const each = runs.map((run) => ({ run, has: transportsOf(run.view.model) }));
  const all = TRANSPORTS.filter((one) => each.some(({ has }) => has.includes(one)));
  const count = (one: Transport): number => each.filter(({ has }) => has.includes(one)).length;
  const lines = each.reduce((sum, { has }) => sum + has.length, 0);
  const most = Math.max(0, ...all.map(count));
  const usual = lines <= MOST_LINES ? all : all.filter((one) => count(one) === most).slice(0, 1);
  const wanted = asked?.filter((one) => all.includes(one)) ?? [];
  const shown = wanted.length > 0 ? wanted : usual;
  return {
    all,
    shown,
    lines: each
      .filter(({ run }) => !hidden.includes(run.id))
      .flatMap(({ run, has }) =>
        shown
          .filter((one) => has.includes(one))
          .map((transport) => ({ key: `${run.letter} ${transport}`, run, transport })),
      ),
  };
}
