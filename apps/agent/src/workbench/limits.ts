/** What a program of the workbench may use. A task takes well under a second. */
export const LIMITS = {
  /** Of CPU time, of all its threads, and twice that by the clock. */
  seconds: 10,
  /** Resident. A Node process that has loaded the device has about 90 MiB. */
  memoryMiB: 512,
  /** Of all files in its folder. */
  filesMiB: 32,
} as const;
