import type { RunRecord } from '@verbslab/protocol';
import { create } from 'zustand';
import { toFailure } from '../connection/failure';
import type { Failure } from '../ui/states';

/** The import that the Runs page shows. It goes on while the reader visits other pages. */
interface ImportState {
  /** Name of the file that is being imported. */
  file: string | null;
  /** How much of it has been sent, from 0 to 1. From then on the agent checks it. */
  sent: number;
  failure: Failure | null;
  /** Where the run is here already: that run, and the file, which may be imported all the same. */
  already: { run: RunRecord; file: File } | null;
}

export const useImport = create<ImportState>(() => ({ file: null, sent: 0, failure: null, already: null }));

const set = useImport.setState;

let stop: AbortController | null = null;

export const cancelImport = (): void => stop?.abort();

export const forgetImport = (): void => set({ failure: null, already: null });

/** Sends a file to the agent. Resolves with the imported run, or with null where the state says why there is none. */
export async function importRun(file: File, again = false): Promise<RunRecord | null> {
  if (useImport.getState().file !== null) return null;
  const mine = (stop = new AbortController());
  set({ file: file.name, sent: 0, failure: null, already: null });
  try {
    const { sendBundle } = await import('./send-bundle');
    const answer = await sendBundle(file, { again, signal: mine.signal, onSent: (sent) => set({ sent }) });
    if ('imported' in answer) return answer.imported;
    if ('already' in answer) set({ already: { run: answer.already, file } });
    else set({ failure: answer.failure });
  } catch (error) {
    if (!mine.signal.aborted) set({ failure: toFailure(error) });
  } finally {
    set({ file: null, sent: 0 });
  }
  return null;
}
