import {
  AppError,
  commandsOf,
  isFinal,
  isProgram,
  MAX_COMMANDS,
  ranTogether,
  type RunRecord,
} from '@verbslab/protocol';

/** A run on its way into a joined one. */
export interface Part {
  record: RunRecord;
  /** Offset from the part's clock to that of the joined run, ns. */
  ns: number;
  /** False if the start is known by the time of day only, to about a millisecond. */
  exact: boolean;
  /** Commands of the parts before it. */
  commands: number;
}

/** Offset from one run’s clock to the other’s, ns. `exact`: both clocks count from the same boot. */
function distance(from: RunRecord, to: RunRecord): { ns: number; exact: boolean } {
  if (from.clock && to.clock && from.clock.boot === to.clock.boot)
    return { ns: Number(BigInt(to.clock.ns) - BigInt(from.clock.ns)), exact: true };
  return { ns: (to.createdAt - from.createdAt) * 1e6, exact: false };
}

function refuse(record: RunRecord): void {
  const { number, state, imported, partOf } = record;
  if (!isProgram(record)) throw new AppError('JOIN_NO_PROGRAM', { number });
  if (partOf) throw new AppError('JOIN_PART', { number, whole: partOf.number });
  if (imported) throw new AppError('JOIN_IMPORTED', { number, host: imported.host });
  if (!isFinal(state)) throw new AppError('JOIN_RUNNING', { number, state });
}

/**
 * A run that neither overlaps the first one nor is linked to it by runs that overlap. Two that both overlap a third need
 * not have met.
 */
function apartFrom(first: RunRecord, rest: readonly RunRecord[]): RunRecord | undefined {
  const linked = [first];
  let left = [...rest];
  // Grows while it is walked.
  for (const one of linked) {
    linked.push(...left.filter((record) => ranTogether(one, record)));
    left = left.filter((record) => !ranTogether(one, record));
  }
  return left[0];
}

/** Plans the join of these runs, the earliest first. Throws AppError that says why they cannot be joined. */
export function planJoin(records: readonly RunRecord[]): Part[] {
  for (const [index, record] of records.entries()) {
    refuse(record);
    if (records.slice(0, index).some(({ id }) => id === record.id))
      throw new AppError('JOIN_SAME', { number: record.number });
  }
  const [first, ...rest] = records;
  const apart = first && apartFrom(first, rest);
  if (apart) throw new AppError('JOIN_APART', { a: first.number, b: apart.number });
  const total = records.reduce((n, record) => n + countOf(record), 0);
  if (total > MAX_COMMANDS)
    throw new AppError('LIMIT', { what: 'Too many commands in one run', value: total, limit: MAX_COMMANDS });
  const sorted = [...records].sort((a, b) => distance(b, a).ns);
  let commands = 0;
  return sorted.map((record) => {
    const part = { record, ...distance(sorted[0]!, record), commands };
    commands += countOf(record);
    return part;
  });
}

const countOf = (record: RunRecord): number => Math.max(1, commandsOf(record).length);
