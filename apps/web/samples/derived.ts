import type { LabResults } from '@verbslab/protocol';
import { pathOf } from '../src/explanations/states/path';
import type { RunModel } from '../src/model/run-model';

/** Runs another lab and returns what it found. */
export type Found = (lab: string) => Promise<LabResults>;

/**
 * What a sample keeps beside the record of its run, by the id of the explanation: of the stream of the run, or what another
 * run found.
 */
export const DERIVED: Readonly<Record<string, (model: RunModel, found: Found) => unknown>> = {
  states: (model) => pathOf(model),
  bounds: async (_, found) => (await found('bounds-samples')).tables.answers,
};
