/** A lab's declarations beside its procedure: results, predictions, variations, roles with counts. */
import { z } from 'zod';
import { MAX_OF_ROLE } from './endpoint-names.js';

/** Names in a lab's declarations. text.md and `ctx` refer to them. */
const zName = z.string().regex(/^[a-z][A-Za-z0-9-]*$/);

const zQuantity = {
  label: z.string(),
  /** Unit beside the number; absent for counts and ratios without a unit. `B` is shown as KiB, MiB, … */
  unit: z.string().optional(),
  /** Significant digits; default 3. Whole numbers are shown in full. */
  digits: z.int().min(1).max(15).optional(),
};

/** A number of a run. */
const zFigureSpec = z.object({
  name: zName,
  ...zQuantity,
  /** Meaning and limits, in one sentence. */
  text: z.string().optional(),
});
export type FigureSpec = z.infer<typeof zFigureSpec>;

const zColumnSpec = z.object({ name: zName, ...zQuantity });
export type ColumnSpec = z.infer<typeof zColumnSpec>;

/** Owners of a bar: each has its color in the picture of two hosts. */
const zBarLook = z.enum(['program', 'library', 'device', 'wire', 'server']);
export type BarLook = z.infer<typeof zBarLook>;

/** Draws the rows of a table as bars that follow each other in time. The first three members name columns. */
const zBarsSpec = z.object({
  name: zName,
  length: zName,
  by: zName,
  /** The look of a bar by the text in the column `by`; any other text has none. */
  looks: z.record(z.string(), zBarLook),
});

const zTableSpec = z.object({
  name: zName,
  label: z.string(),
  text: z.string().optional(),
  columns: z.array(zColumnSpec).min(1),
  bars: zBarsSpec.optional(),
});
export type TableSpec = z.infer<typeof zTableSpec>;

const zAxisSpec = z.object({ ...zQuantity, log: z.boolean().optional() });
export type AxisSpec = z.infer<typeof zAxisSpec>;

/** Points of one or more series over the same axes. */
const zCurveSpec = z.object({
  name: zName,
  label: z.string(),
  text: z.string().optional(),
  x: zAxisSpec,
  y: zAxisSpec,
  /** Series in the order of the chart. A curve with one series may omit them. */
  series: z
    .array(
      z.object({
        name: zName,
        label: z.string(),
        /** An earlier series that is about the same, and whose color this one has. */
        like: zName.optional(),
        /** How the series is drawn. Absent, as from older agents: as a line through marked points. */
        drawn: z.enum(['line', 'points']).optional(),
      }),
    )
    .optional(),
});
export type CurveSpec = z.infer<typeof zCurveSpec>;

/** The one result beside the answer: a curve, a table with the columns that answer, or two or three figures. */
const zHeadlineSpec = z.union([
  z.object({ curve: zName }),
  z.object({ table: zName, columns: z.array(zName).min(2).optional() }),
  z.object({ figures: z.array(zName).min(1).max(4) }),
]);
export type HeadlineSpec = z.infer<typeof zHeadlineSpec>;

export const zResultSpecs = z.object({
  figures: z.array(zFigureSpec).optional(),
  tables: z.array(zTableSpec).optional(),
  curves: z.array(zCurveSpec).optional(),
  /** Absent: the first curve, else the first table if it is small, else the first figures. */
  headline: zHeadlineSpec.optional(),
});
export type ResultSpecs = z.infer<typeof zResultSpecs>;

const zOption = z.object({ id: zName, text: z.string() });
export type Option = z.infer<typeof zOption>;

/** Reason why a run may end without the answer to a prediction, with its cure. Absent: it was not measured. */
const zUnanswered = z.string().max(256).optional();

/** A prediction, requested before the run and shown beside the measurement. A run never waits for it. */
export const zPrediction = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('number'),
    id: zName,
    text: z.string(),
    unit: z.string().optional(),
    /** Figure to compare with; absent if the procedure calls `ctx.outcome`. */
    figure: zName.optional(),
    unanswered: zUnanswered,
  }),
  z.object({
    kind: z.literal('choice'),
    id: zName,
    text: z.string(),
    options: z.array(zOption).min(2),
    unanswered: zUnanswered,
  }),
  /** Options to put in order, the first one first. */
  z.object({
    kind: z.literal('order'),
    id: zName,
    text: z.string(),
    /** Meanings of first and last: `fastest`, `slowest`. */
    ends: z.tuple([z.string(), z.string()]),
    options: z.array(zOption).min(2),
    unanswered: zUnanswered,
  }),
]);
export type Prediction = z.infer<typeof zPrediction>;

/** A prediction of a person, or the outcome of a run: a number, the id of an option, or all ids in order. */
export const zGuess = z.union([z.number(), z.string().max(64), z.array(z.string().max(64)).max(32)]);
export type Guess = z.infer<typeof zGuess>;

/** Named parameters: `4 KiB messages`. */
export const zVariation = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  title: z.string(),
  /** Advice on what to look for, in one sentence. */
  text: z.string().optional(),
  params: z.record(z.string(), z.json()),
});
export type Variation = z.infer<typeof zVariation>;

export const zRole = z.object({
  name: zName,
  title: z.string(),
  text: z.string().optional(),
  /**
   * Number of endpoints, or the parameter with the number. They are named `name-1`, `name-2`, … Absent: a single
   * endpoint named `name`.
   */
  count: z.union([z.int().min(1).max(MAX_OF_ROLE), z.object({ param: z.string() })]).optional(),
});
export type Role = z.infer<typeof zRole>;

/** Errors that a lab causes on purpose at the endpoints of a role. They are no problems of the run. */
export const zIntended = z.object({
  role: zName,
  /**
   * Most errors of each status, event and refusal, at each endpoint; absent: any number. Several entries add up.
   * Counters have no limit, because timing determines how often a device retries.
   */
  most: z.int().min(1).optional(),
  /** Statuses of completions. */
  statuses: z.array(z.int().min(1)).optional(),
  /** Asynchronous events, without the prefix IBV_EVENT_. */
  events: z.array(z.string()).optional(),
  /**
   * Calls refused with this errno. Without an errno: refused by the checks of the verbs library, before the device is
   * asked.
   */
  calls: z.array(z.object({ call: z.string(), errno: z.string().optional() })).optional(),
  /** Error counters, each by one of its names on devices. */
  counters: z.array(z.string()).optional(),
});
export type Intended = z.infer<typeof zIntended>;

/** Recordings that ship with the dashboard and that the picture of a lab can show before its first run. */
export const PICTURE_SAMPLES = [
  'write',
  'write-lost',
  'write-imm',
  'small-write',
  'many-writes',
  'read',
  'atomic',
  'send',
  'send-without-recv',
  'datagram',
  'unreliable-lost',
  'beyond-region',
  'overrun',
  'connect',
] as const;
export type PictureSample = (typeof PICTURE_SAMPLES)[number];

/** Picture of a lab: a recording before its first run, the stage at which it stops, and the parts that the lab is about. */
export const zLabPicture = z.object({
  sample: z.enum(PICTURE_SAMPLES),
  /** The lab moves the same bytes over several transports: its picture shows the path of each. */
  paths: z.literal(true).optional(),
  /** The lab is about the states of a QP: its picture is their graph. */
  states: z.literal(true).optional(),
  /** Name of the stage; without it, the first. */
  stage: z.string().optional(),
  /** `client.cq`, `server.memory`, `wire`: what is not named is drawn quietly. */
  focus: z
    .array(
      z.string().regex(/^(?:(?:client|server)\.(?:sq|rq|cq|memory|program|library|device|kernel)|wire)$/),
    )
    .min(1),
});
export type LabPicture = z.infer<typeof zLabPicture>;

/** Fabric that a lab simulates, with its defaults: what its page draws before a run. */
export const zLabFabric = z.object({
  /** What happens there: at most two short sentences. */
  text: z.string().max(160),
  /** Number of switches in each tier, from the hosts up; each has a link to each of the next tier. Empty: two hosts and a link. */
  tiers: z.array(z.int().min(1).max(16)).max(3),
  /** The switches of the only tier are a ring. */
  ring: z.literal(true).optional(),
  /** Number of hosts at each switch of the first tier. */
  hosts: z.int().min(1).max(64),
  /** Sending and receiving host of each flow, counted from the left. Absent for patterns in which all hosts do both. */
  flows: z.array(z.tuple([z.int().min(0), z.int().min(0)])).optional(),
});
export type LabFabric = z.infer<typeof zLabFabric>;
