/** A sweep: runs of a lab, one after another, with parameters that change from point to point. The agent owns it. */
import { z } from 'zod';
import { push, reply, request } from './message.js';
import { ID_FORM } from './ids.js';
import { zErrorInfo } from './error-schema.js';
import { zPlace } from './peers.js';
import { RUN_STATES } from './run-state.js';
import { zKnown } from './skew.js';
import { MAX_SWEEP_RUNS, SWEEP_STATES } from './sweep-state.js';
import { zCount } from './verbs.js';

export const zSweepId = z.string().regex(ID_FORM);

/** A parameter that changes. `log`: its values grow by a factor; `list`: the values are names, or have no order. */
export const zSweepAxis = z.object({
  param: z.string().max(64),
  scale: zKnown(['linear', 'log', 'list'], 'list'),
});
export type SweepAxis = z.infer<typeof zSweepAxis>;

const zPointValues = z.record(z.string().max(64), z.json());
export type PointValues = z.infer<typeof zPointValues>;

/** Plan of a sweep: settings of all runs, and the parameters of each point. */
const plan = {
  lab: z.string().max(64),
  params: z.record(z.string(), z.json()),
  variation: z.string().max(64).optional(),
  device: z.string().max(64).optional(),
  endpoints: z.record(z.string().max(64), zPlace).optional(),
  /** Axes, one or two. Every point has a value for each. */
  axes: z.array(zSweepAxis).min(1).max(2),
  points: z.array(zPointValues).min(1).max(MAX_SWEEP_RUNS),
  /** Runs per point. */
  repeat: z.int().min(1).max(MAX_SWEEP_RUNS),
};
export const zSweepPlan = z.object(plan);
export type SweepPlan = z.infer<typeof zSweepPlan>;

/** A run of a point. */
export const zMeasurement = z.object({
  /** Position in the order of the runs, from 0. */
  position: zCount,
  /** Index in `plan.points`, and the repetition, from 0. */
  point: zCount,
  round: zCount,
  /** Id of the run; null if it could not be started. */
  runId: z.string().nullable(),
  state: zKnown(RUN_STATES, 'failed'),
  /** Figures by the names of `runFigures`; null if the run could not measure one. */
  figures: z.record(z.string(), z.number().nullable()),
  /** Duration of the run, s. */
  seconds: z.number(),
  error: zErrorInfo.nullable(),
});
export type Measurement = z.infer<typeof zMeasurement>;

/** A sweep. Times are milliseconds since 1970. */
export const zSweepRecord = z.object({
  id: zSweepId,
  /** Number of the sweep on this agent. */
  number: z.int().min(1),
  title: z.string(),
  state: zKnown(SWEEP_STATES, 'running'),
  plan: zSweepPlan,
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** Number of runs that have ended, and of all runs. */
  measured: zCount,
  total: zCount,
  /** Run in progress. */
  runId: z.string().nullable(),
  /** Estimate from the runs so far; null before the first has ended. */
  secondsLeft: z.number().nullable(),
  /** Reason why the sweep failed, paused by itself or was interrupted. */
  error: zErrorInfo.nullable(),
});
export type SweepRecord = z.infer<typeof zSweepRecord>;

/** Reference from a run to its sweep. */
export const zRunOfSweep = z.object({ id: zSweepId, number: zCount, point: zCount, round: zCount });
export type RunOfSweep = z.infer<typeof zRunOfSweep>;

const ref = { sweepId: zSweepId };

const SWEEP = reply('sweep', { sweep: zSweepRecord, measurements: z.array(zMeasurement) });

export const SWEEP_MESSAGES = [
  /**
   * Starts a sweep. Checks every point, its places and its devices before anything runs. The sweep waits as `queued`
   * while another sweep runs.
   */
  request('sweep.start', { ...plan }, SWEEP, {
    what: 'starts a sweep: `lab`, `params`, `variation`, `device`, `endpoints` as in `run.start`, one or two `axes`, the `points` and `repeat`; every point is checked first',
  }),
  /** Pauses a sweep: the run in progress ends, and no further run starts. */
  request('sweep.pause', { ...ref }, SWEEP, { what: 'lets the run in progress end and starts no other' }),
  request('sweep.resume', { ...ref }, SWEEP, { what: 'continues a paused sweep' }),
  /** Cancels the sweep and the run in progress. Measurements stay. */
  request('sweep.cancel', { ...ref }, SWEEP, {
    what: 'cancels the run in progress too; what was measured stays',
  }),
  request('sweep.get', { ...ref }, SWEEP, { what: 'the record of a sweep and what it measured' }),
  /** Lists sweeps, newest first. */
  request(
    'sweep.list',
    { limit: z.int().min(1).max(500).optional() },
    reply('sweeps', {
      sweeps: z.array(zSweepRecord),
      /** Sweeps of this agent that it cannot read. Absent from older agents. */
      unreadable: z.array(z.object({ id: z.string(), number: zCount, reason: z.string() })).optional(),
    }),
    { what: 'records of sweeps, newest first' },
  ),
  /** To every client but peers: a sweep was created, or changed its state or its progress. */
  push('sweep.changed', { sweep: zSweepRecord }),
  /** To every client but peers: a run of a sweep has ended. */
  push('sweep.measured', { sweepId: zSweepId, measurement: zMeasurement }),
];
