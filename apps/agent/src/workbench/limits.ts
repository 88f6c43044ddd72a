/** What a program of the workbench may use. */
export interface ProgramLimits {
  seconds: number;
  memoryMiB: number;
  filesMiB: number;
}

/** A task takes well under a second. */
export const LIMITS: ProgramLimits = {
  /** Of CPU time, of all its threads, and twice that by the clock. */
  seconds: 10,
  /** Resident. A Node process that has loaded the device has about 90 MiB. */
  memoryMiB: 512,
  /** Of all files in its folder. */
  filesMiB: 32,
};
