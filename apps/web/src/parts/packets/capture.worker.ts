import { buffersOf, captureStreams, indexCapture, streamBuffers, type ByteSource } from '@verbslab/roce';
import { KEPT_WHOLE } from './file-bytes';
import type { FromReader, ToReader } from './read-capture';
import { unpack } from './unpack';

const post = (m: FromReader, transfer: Transferable[] = []) => self.postMessage(m, { transfer });

/** TypeScript's library of pages does not know it: it is there in workers only. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const WINDOW = 2 ** 22;

/** A file that is too large to be in memory. */
function inParts(file: Blob): ByteSource {
  const reader = new FileReaderSync();
  return {
    length: file.size,
    window: WINDOW,
    read: (from, to) => new Uint8Array(reader.readAsArrayBuffer(file.slice(from, to))),
  };
}

self.onmessage = async ({ data }: MessageEvent<ToReader>) => {
  try {
    const { file, damage } = await unpack(data.file);
    const bytes = file.size > KEPT_WHOLE ? null : new Uint8Array(await file.arrayBuffer());
    const source = bytes ?? inParts(file);
    const { ports } = data;
    const progress = (done: number) => post({ type: 'progress', part: done / source.length });
    const capture = indexCapture(source, progress, ports.length > 0 ? { ports } : {});
    if (damage !== undefined) {
      const error = { offset: file.size, message: `the gzip data breaks off here (${damage})` };
      capture.head.error = capture.diagnosis.error = error;
    }
    const streams = captureStreams(capture);
    post({ type: 'read', file, bytes, capture, streams }, [
      ...(bytes ? [bytes.buffer] : []),
      ...buffersOf(capture.columns),
      ...streamBuffers(streams),
    ]);
  } catch (e) {
    post({ type: 'failed', message: e instanceof Error ? e.message : String(e) });
  }
};
