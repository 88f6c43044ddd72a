import type { DeviceInfo, LabContext, LabDescription } from '@verbslab/protocol';

/** The parts of a lab of packages/labs that the run manager needs. */
export interface RunnableLab {
  readonly description: LabDescription;
  readonly selfChecks?: readonly { readonly id: string }[];
  /** Fills in defaults and checks the parameters. Throws AppError UNKNOWN_PARAM or BAD_PARAM. */
  parse(input: Readonly<Record<string, unknown>>): unknown;
  /** Throws AppError BAD_PARAM if these devices cannot do what the parameters ask for. */
  checkDevices?(params: unknown, devices: readonly DeviceInfo[]): void;
  run(ctx: LabContext<never>): Promise<void>;
}
