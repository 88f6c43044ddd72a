import type { Note } from '@verbslab/protocol';
import type { RunModel } from './run-model';

/**
 * Notes of the lab about the run. A finished run has them in its record at once; the stream brings them only at its
 * end.
 */
export const labNotes = ({ record, notes }: RunModel): readonly Note[] =>
  record.result?.notes ?? notes.filter((one) => one.kind === 'note');
