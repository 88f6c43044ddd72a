import type { DeviceInfo, LabContext, LabDescription } from '@verbslab/protocol';

/** What the run manager needs of a lab of packages/labs. */
export interface RunnableLab {
  readonly description: LabDescription;
  readonly selfChecks?: readonly { readonly id: string }[];
  /** Fills in defaults and checks; throws AppError UNKNOWN_PARAM or BAD_PARAM. */
  parse(input: Readonly<Record<string, unknown>>): unknown;
  /** Throws AppError BAD_PARAM where these devices cannot do what the parameters ask for. */
  checkDevices?(params: unknown, devices: readonly DeviceInfo[]): void;
  run(ctx: LabContext<never>): Promise<void>;
}
