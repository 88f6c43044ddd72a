import type { RunRecord } from '@verbslab/protocol';
import { create } from 'zustand';
import { toFailure } from '../connection/failure';
import type { Failure } from '../ui/states';

/** Import on the Runs page. It continues while the reader visits other pages. */
interface ImportState {
  /** Name of the file that is being imported. */
  file: string | null;
  /** Part that has been sent, from 0 to 1. At 1, the agent checks the file. */
  sent: number;
  failure: Failure | null;
  /** The run, if it is already here, and the file, which may be imported nevertheless. */
  already: { run: RunRecord; file: File } | null;
}

export const useImport = create<ImportState>(() => ({ file: null, sent: 0, failure: null, already: null }));

const set = useImport.setState;

let stop: AbortController | null = null;

export const cancelImport = (): void => stop?.abort();

export const forgetImport = (): void => set({ failure: null, already: null });

/**
 * Sends a file to the agent. Resolves with the imported run, or with null if there is none, and then the state has the
 * reason.
 */
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
