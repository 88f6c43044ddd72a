import type { LabContext, LabDescription } from '@verbslab/protocol';

/** What the run manager needs of a lab of packages/labs. */
export interface RunnableLab {
  readonly description: LabDescription;
  /** Fills in defaults and checks; throws AppError UNKNOWN_PARAM or BAD_PARAM. */
  parse(input: Readonly<Record<string, unknown>>): unknown;
  run(ctx: LabContext<never>): Promise<void>;
}
