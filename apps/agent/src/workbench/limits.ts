/** Resources that a workbench program may use. */
export interface ProgramLimits {
  seconds: number;
  memoryMiB: number;
  filesMiB: number;
}

/** Default limits. A task takes well under a second. */
export const LIMITS: ProgramLimits = {
  /** CPU time of all threads. The limit of wall-clock time is twice that. */
  seconds: 10,
  /** Resident memory. A Node process that has loaded the device has about 90 MiB. */
  memoryMiB: 512,
  /** Size of all files in the program's folder. */
  filesMiB: 32,
};
