import type { Note } from '@verbslab/protocol';
import type { RunModel } from './run-model';

/** What the lab has said of the run. The record of a finished run has it at once; the stream brings it at its end. */
export const labNotes = ({ record, notes }: RunModel): readonly Note[] =>
  record.result?.notes ?? notes.filter((one) => one.kind === 'note');
