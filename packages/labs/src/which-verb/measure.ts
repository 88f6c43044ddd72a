/** How long a job takes with one verb, and what it costs the program of the passive side. */
import type { EndpointHandle } from '@verbslab/protocol';
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

interface Cpu {
  appNs: number;
  /** Null where the device does not report it. */
  nicNs: number | null;
}

export interface Measured {
  /** Per job, ns. */
  timesNs: number[];
  /** Of the passive side’s process, per job. */
  cpu: Cpu;
  /** Whether the data, or the counter, are right at the end. */
  right: boolean;
}

async function cpuOf(endpoint: EndpointHandle): Promise<Cpu> {
  const { processUserNs, processSystemNs, nicUserNs, nicKernelNs } = await endpoint.call('cpu', {});
  const nicNs = nicUserNs === null || nicKernelNs === null ? null : nicUserNs + nicKernelNs;
  return { appNs: processUserNs + processSystemNs - (nicNs ?? 0), nicNs };
}

/** Between the last two samples, per job, less what passed between the first two, in which nothing was done. */
function spent([idle, before, after]: readonly [Cpu, Cpu, Cpu], jobs: number): Cpu {
  const of = (a: number, b: number, c: number): number => Math.max(0, c - b - (b - a)) / jobs;
  return {
    appNs: of(idle.appNs, before.appNs, after.appNs),
    nicNs:
      idle.nicNs === null || before.nicNs === null || after.nicNs === null
        ? null
        : of(idle.nicNs, before.nicNs, after.nicNs),
  };
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
  // What the question itself costs.
  const idle = await cpuOf(endpoint);
  const before = await cpuOf(endpoint);
  const found = await perform(ctx, stage, play.moves, WARM_UP, rounds, waits);
  const after = await cpuOf(endpoint);
  const right = await isRight(stage, play, total);
  const jobs = play.jobs?.(stage.wires[0]!.spot) ?? 1;
  const done = rounds * jobs * (passive === 'server' ? stage.wires.length : 1);
  await closeStage(stage);
  return {
    timesNs: found.flatMap((one) => one[play.initiator]!.timesNs.map((ns) => ns / jobs)),
    cpu: spent([idle, before, after], done),
    right,
  };
}
