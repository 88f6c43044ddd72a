import type {
  Capability,
  Intended,
  LabContext,
  LabDescription,
  LabEnding,
  LabFabric,
  LabPicture,
  LabTiming,
  LimitedDevice,
  ParamRule,
  ParamValues,
  Prediction,
  ResultSpecs,
  Role,
  Track,
  Variation,
} from '@verbslab/protocol';
import { z } from 'zod';
import { namingFailures } from './answer.js';
import { checkRules, parseParams } from './params.js';
import type { SelfCheckSpec } from './self-checks.js';

/** Declaration of a lab. `steps` are present when the lab can be gone through one by one. */
export interface LabDefinition<S extends z.ZodObject> {
  id: string;
  title: string;
  question: string;
  summary: string;
  /** Name on the map of labs: at most 16 characters. */
  short: string;
  /** Why a reader would care: at most 12 words. */
  why: string;
  /** Labs that explain what this one takes for granted, by id. */
  buildsOn: string[];
  /** Picture before the first run, and the parts of it that the lab is about. A lab with a `fabric` has none. */
  picture?: LabPicture;
  track: Track;
  /** Minutes to read and run the lab. */
  minutes: number;
  /** Place among the labs of its track; labs without one come last, by id. */
  order?: number;
  /** Every property has title, description and default; `.meta({ unit })` names its unit, `choiceTitles` words for its choices, `choiceNeeds` capabilities that a choice needs. */
  params: S;
  /** Conditions between parameters, and on the devices. */
  rules?: ParamRule[];
  /** Parameters that decide the duration of a run. */
  timing?: LabTiming;
  roles: Role[];
  /**
   * The fabric that the lab simulates, drawn before its run. A lab without `roles` is simulated: it takes no device, and all its
   * figures come from `ctx.simulate`. One with both measures endpoints too, and its results say which is which.
   */
  fabric?: LabFabric;
  watch: string[];
  steps?: NonNullable<LabDescription['steps']>;
  /** Shown below the last step of a run that is done. */
  ending?: LabEnding;
  checks: { id: string; text: string }[];
  /** Refusals and errors that the lab causes on purpose, so that lists of runs do not count them as problems. */
  intends?: Intended[];
  /** Results of a run. The procedure fills them in with `ctx.figure`, `ctx.row` and `ctx.point`. */
  results?: ResultSpecs;
  predictions?: Prediction[];
  variations?: Variation[];
  /** Two or three questions for after the run. */
  selfChecks?: SelfCheckSpec[];
  /** Reason why no small program shows the same, as a sentence for the page. Only for a lab without `code`. */
  withoutProgram?: string;
  needs?: Capability[];
  wants?: Capability[];
  /** Resolves when the lab is through; rejects with AppError. Checks that fail are reported, not thrown. */
  run: (ctx: LabContext<z.output<S>>) => Promise<void>;
}

/** A lab: data plus a procedure. */
export interface Lab<P = unknown> {
  readonly description: LabDescription;
  readonly order: number;
  readonly selfChecks: readonly SelfCheckSpec[];
  /** Reason why the lab has no program of its own; null if it has one. */
  readonly withoutProgram: string | null;
  /**
   * Fills in defaults and checks. Takes numbers also as text, with or without unit (`64KiB`, `3 s`), since the
   * command line has only text. Throws AppError UNKNOWN_PARAM or BAD_PARAM.
   */
  parse(input: Readonly<Record<string, unknown>>): P;
  /** Throws AppError BAD_PARAM where these devices cannot do what the parameters ask for. */
  checkDevices(params: unknown, devices: readonly LimitedDevice[]): void;
  run(ctx: LabContext<P>): Promise<void>;
}

export function defineLab<S extends z.ZodObject>(definition: LabDefinition<S>): Lab<z.output<S>> {
  const {
    params,
    run,
    steps,
    order,
    selfChecks = [],
    withoutProgram = null,
    rules = [],
    needs = [],
    wants = [],
    ...rest
  } = definition;
  const schema = z.toJSONSchema(params, { io: 'input' }) as LabDescription['params'];
  const properties = (schema.properties ?? {}) as Parameters<typeof parseParams>[2];
  return {
    description: {
      ...rest,
      ...(rest.fabric && rest.roles.length === 0 ? { simulated: true as const } : {}),
      ...(steps ? { steps } : {}),
      ...{ params: schema, rules, needs, wants },
    },
    order: order ?? Infinity,
    selfChecks,
    withoutProgram,
    parse: (input) => {
      const values = parseParams(definition.id, params, properties, input);
      checkRules(rules, properties, values, []);
      return values;
    },
    checkDevices: (values, devices) => checkRules(rules, properties, values as ParamValues, devices),
    run: (ctx) => run(namingFailures(ctx, definition.checks)),
  };
}
