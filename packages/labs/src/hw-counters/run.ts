import type { LabContext } from '@verbslab/protocol';
import { Bench } from '../failures/bench.js';
import { statusText } from '../failures/evidence.js';
import { plural } from '../base/format.js';
import { intend } from '../endpoints/intend.js';
import { CONGESTION } from './congestion.js';
import { DATAGRAMS, MARKED_DATAGRAM } from './datagrams.js';
import { GROUPS, perform, type BothMoved, type Experiment, type Move } from './experiment.js';
import { loss } from './loss.js';
import { MEANINGS, originOf } from './meanings.js';
import type { HwCountersParams } from './params.js';
import { receive } from './receive.js';
import { traffic } from './traffic.js';

type Context = LabContext<HwCountersParams>;

/** Counters of errors; without a fault none of them may move. */
const ERRORS = /err$|^naks_sent|retransmitted|out_of|duplicate|violation|_errors$|wrong_|unknown_/;

interface Line extends Move {
  group: Experiment['group'];
  /** The request of the experiment ended as it must. */
  ended: boolean;
  what: string;
  predicted: number;
  /** Null: this device has no such counter. */
  measured: number | null;
}

const measuredOf = (moved: BothMoved, { counter, at }: Move): number | null => moved[at][counter] ?? null;

async function one(ctx: Context, bench: Bench, experiment: Experiment): Promise<Line[]> {
  ctx.signal.throwIfAborted();
  intend(ctx, ...(experiment.intends ?? []));
  const { moved, status } = await perform(bench, experiment, ctx.params);
  ctx.row('experiments', {
    what: experiment.what,
    expected: statusText(experiment.status),
    status: statusText(status),
  });
  const { group, what } = experiment;
  return experiment.moves.map((move) => {
    const predicted = typeof move.by === 'function' ? move.by(moved) : move.by;
    const measured = measuredOf(moved, move);
    ctx.row('moves', {
      counter: move.counter,
      origin: originOf(move.counter),
      at: move.at,
      meaning: MEANINGS[move.counter] ?? '',
      what: experiment.what,
      predicted,
      measured,
    });
    return { ...move, group, what, ended: status === experiment.status, predicted, measured };
  });
}

const right = ({ predicted, measured }: Line): boolean => measured === predicted;

function judge(ctx: Context, lines: readonly Line[]): void {
  for (const group of GROUPS) {
    const own = lines.filter((line) => line.group === group);
    const odd = own.find(({ ended }) => !ended);
    const wrong = own.find((line) => !right(line));
    ctx.check(
      group,
      !wrong && !odd,
      odd
        ? `${odd.what}: the request ended with another status than expected.`
        : wrong
          ? `${wrong.counter} of the ${wrong.at} moved by ${wrong.measured ?? 'an unknown number'} instead of ${wrong.predicted}.`
          : `${plural(own.length, 'value')} came out exactly as predicted.`,
    );
  }
}

/** WRITEs once more, and every counter of an error. */
async function calm(ctx: Context, bench: Bench, [plain]: readonly Experiment[]): Promise<boolean> {
  const { moved } = await perform(bench, plain!, ctx.params);
  const odd = (['client', 'server'] as const).flatMap((at) =>
    Object.entries(moved[at]).flatMap(([name, by]) =>
      ERRORS.test(name) && by !== 0 ? [`${name} (${at}, ${by})`] : [],
    ),
  );
  ctx.check(
    'calm',
    odd.length === 0,
    odd.length === 0
      ? 'Of the counters of errors none moved at either end.'
      : `These moved without a fault: ${odd.join(', ')}.`,
  );
  return odd.length === 0;
}

export async function runHwCounters(ctx: Context): Promise<void> {
  const bench = new Bench(ctx, ctx.endpoint('client'), ctx.endpoint('server'), ctx.params.link);
  const ordinary = traffic(ctx.params);
  const experiments = [...ordinary, ...loss(ctx.params), ...receive(ctx.params), ...CONGESTION, ...DATAGRAMS];
  const quiet = await calm(ctx, bench, ordinary);
  const lines: Line[] = [];
  for (const [i, experiment] of experiments.entries()) {
    ctx.progress(i / experiments.length, experiment.what);
    lines.push(...(await one(ctx, bench, experiment)));
  }
  ctx.draining();
  const by = (counter: string, what?: string): number | null =>
    lines.find((line) => line.counter === counter && (what === undefined || line.what === what))?.measured ??
    null;
  const moved = new Set(lines.flatMap(({ counter, measured }) => (measured ? [counter] : [])));
  ctx.figure('moved', moved.size);
  ctx.figure('timeouts', by('local_ack_timeout_err'));
  ctx.figure('ahead', by('out_of_sequence'));
  ctx.figure('gaps', by('out_of_seq_request'));
  ctx.figure('deferred', by('ack_deferred'));
  ctx.figure('rnr-sent', by('send_rnr_err'));
  ctx.figure('rnr-received', by('rcvd_rnr_err'));
  ctx.figure('cnps', by('np_cnp_sent'));
  ctx.figure('datagram-cnps', by('np_cnp_sent', MARKED_DATAGRAM));
  const [sent, received] = [by('send_rnr_err') ?? 0, by('rcvd_rnr_err') ?? 0];
  ctx.outcome('rnr', sent > 0 && received > 0 ? 'both' : sent > 0 ? 'server' : 'client');
  judge(ctx, lines);
  const exact = lines.filter(right).length;
  ctx.answer(
    `${plural(experiments.length, 'experiment')} moved ${plural(moved.size, 'predicted counter')}. The lab had predicted ${plural(lines.length, 'value')}, and ${exact} came out exactly.${quiet ? ' Without a fault, no counter of an error moved.' : ''}`,
  );
}
