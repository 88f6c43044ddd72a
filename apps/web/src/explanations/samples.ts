/**
 * Recorded samples of the explorables, by the id of the explanation: a page with one is never empty.
 * `npm run explanation-samples` makes them. Each is loaded when no run of the reader fits.
 */
import { noResults, type RunRecord } from '@verbslab/protocol';
import type { ExplainedRun } from './types';

/** Content of a file: the record of the run, and what was derived from its stream (apps/web/samples/derived.ts). */
export interface SampleFile {
  run: RunRecord;
  derived: unknown;
}

const SAMPLES: Readonly<Record<string, () => Promise<{ default: unknown }>>> = {
  bounds: () => import('./bounds/sample.json'),
  'cq-ring': () => import('./cq-ring/sample.json'),
  amplification: () => import('./amplification/sample.json'),
  window: () => import('./window/sample.json'),
  incast: () => import('./incast/sample.json'),
  states: () => import('./states/sample.json'),
};

export const SAMPLED: readonly string[] = Object.keys(SAMPLES);

export async function sampleOf(id: string): Promise<ExplainedRun> {
  const { run, derived } = (await SAMPLES[id]!()).default as SampleFile;
  return { record: run, results: run.result?.results ?? noResults(), sample: { derived } };
}
