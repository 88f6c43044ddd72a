import type { RunModel } from '../src/model/run-model';

/** What a sample keeps of the stream of its run beside the record, by the id of the explanation. */
export const DERIVED: Readonly<Record<string, (model: RunModel) => unknown>> = {};
