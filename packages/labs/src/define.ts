import type { LabContext, LabDescription, WatchView, Capability } from '@verbslab/protocol';
import { z } from 'zod';
import { parseParams } from './params.js';

/** What a lab declares. `steps` are present when it can be gone through one by one. */
export interface LabDefinition<S extends z.ZodObject> {
  id: string;
  title: string;
  question: string;
  summary: string;
  /** Every property has title, description and default; `.meta({ unit })` names its unit. */
  params: S;
  roles: LabDescription['roles'];
  watch: WatchView[];
  steps?: { id: string; title: string; text: string }[];
  checks: { id: string; text: string }[];
  needs?: Capability[];
  wants?: Capability[];
  /** Resolves when the lab is through; rejects with AppError. Checks that fail are reported, not thrown. */
  run: (ctx: LabContext<z.output<S>>) => Promise<void>;
}

/** A lab: data plus a procedure. */
export interface Lab<P = unknown> {
  readonly description: LabDescription;
  /**
   * Fills in defaults and checks. Takes numbers also as text, with or without unit (`64KiB`, `3 s`), since the
   * command line has only text. Throws AppError UNKNOWN_PARAM or BAD_PARAM.
   */
  parse(input: Readonly<Record<string, unknown>>): P;
  run(ctx: LabContext<P>): Promise<void>;
}

export function defineLab<S extends z.ZodObject>(definition: LabDefinition<S>): Lab<z.output<S>> {
  const { params, run, steps, needs = [], wants = [], ...rest } = definition;
  const schema = z.toJSONSchema(params, { io: 'input' }) as LabDescription['params'];
  const properties = (schema.properties ?? {}) as Parameters<typeof parseParams>[2];
  return {
    description: { ...rest, ...(steps ? { steps } : {}), params: schema, needs, wants },
    parse: (input) => parseParams(definition.id, params, properties, input),
    run,
  };
}
