/** The paths of a recorded run, which ship with the dashboard. */
import type { Recording } from '../picture/recording';
import type { BytePaths } from './byte-path';

export interface PathsSample {
  /** Date and time of the run. */
  at: string;
  /** CPUs of the machine of both ends; null if not known. */
  cpus: number | null;
  shown: BytePaths;
}

/** What the page of a lab shows before its first run. */
export type LabSample = Recording | PathsSample;

/** JSON that `npm run picture-samples paths` wrote. */
export const pathsSample = async (): Promise<PathsSample> =>
  ((await import('./sample.json')) as { default: unknown }).default as PathsSample;
