/** Time of a job with one verb, and its cost for the program of the passive side. */
import { cpuPer, withCpu, type ProcessCpu } from '../load/process-cpu.js';
import { passiveOf, type Play } from './play.js';
import {
  closeStage,
  counterOf,
  fill,
  openStage,
  perform,
  postAhead,
  same,
  waitsOf,
  type Context,
  type Stage,
} from './stage.js';

/** Rounds before those that count. */
export const WARM_UP = 10;

export interface Measured {
  /** Per job, ns. */
  timesNs: number[];
  /** CPU time of the passive side’s process, per job. */
  cpu: ProcessCpu;
  /** True if the data, or the counter, are right at the end. */
  right: boolean;
}

async function isRight(stage: Stage, play: Play, rounds: number): Promise<boolean> {
  if (!play.equal) return (await counterOf(stage)) === rounds * stage.wires.length;
  for (const { spot } of stage.wires)
    for (const pair of play.equal(spot)) if (!(await same(stage, pair))) return false;
  return true;
}

export async function measure(ctx: Context, play: Play): Promise<Measured> {
  const { rounds } = ctx.params;
  const total = rounds + WARM_UP;
  const stage = await openStage(ctx, play, play.shared ?? false, total);
  const passive = passiveOf(play);
  const { endpoint } = stage.wires[0]![passive];
  const waits = waitsOf(ctx, play);
  await fill(stage, play.job === 'counter');
  await postAhead(stage, play, total);
  await perform(ctx, stage, play.moves, 0, WARM_UP, waits);
  const { found, cpu } = await withCpu(endpoint, () =>
    perform(ctx, stage, play.moves, WARM_UP, rounds, waits),
  );
  const right = await isRight(stage, play, total);
  const jobs = play.jobs?.(stage.wires[0]!.spot) ?? 1;
  const done = rounds * jobs * (passive === 'server' ? stage.wires.length : 1);
  await closeStage(stage);
  return {
    timesNs: found.flatMap((one) => one[play.initiator]!.timesNs.map((ns) => ns / jobs)),
    cpu: cpuPer(cpu, done),
    right,
  };
}
