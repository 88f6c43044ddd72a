import type { CaptureStreams, IndexedCapture } from '@verbslab/roce';

/** A file of the user's, or what was fetched of a run. */
export interface ToReader {
  file: Blob;
  /** UDP ports that carry RoCEv2 besides 4791. */
  ports: readonly number[];
}

export type FromReader =
  | { type: 'progress'; part: number }
  | ({ type: 'read' } & ReadCapture)
  | { type: 'failed'; message: string };

export interface ReadCapture {
  /** The file, unpacked if it was compressed. */
  file: Blob;
  /** Null where the file is too large to be in memory. */
  bytes: Uint8Array<ArrayBuffer> | null;
  capture: IndexedCapture;
  /** For its timeline. */
  streams: CaptureStreams;
}

/**
 * Reads and diagnoses a capture in a worker of its own, so that the page stays at hand. `progress` gets the part that
 * is done, from 0 to 1. The file stays in this browser.
 */
export function readCapture(
  source: ToReader,
  progress: (part: number) => void,
  cancelled: AbortSignal,
): Promise<ReadCapture> {
  const worker = new Worker(new URL('./capture.worker.ts', import.meta.url), { name: 'capture' });
  const read = new Promise<ReadCapture>((resolve, reject) => {
    cancelled.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
    worker.onmessage = ({ data }: MessageEvent<FromReader>) => {
      if (data.type === 'progress') progress(data.part);
      else if (data.type === 'failed') reject(new Error(data.message));
      else resolve(data);
    };
    worker.onerror = (e) => {
      reject(new Error(e.message || 'The code that reads captures could not be loaded from the agent.'));
    };
    worker.postMessage(source);
  });
  return read.finally(() => worker.terminate());
}
