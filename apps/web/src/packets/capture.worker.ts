import { buffersOf, captureStreams, indexCapture, streamBuffers } from '@verbslab/roce';
import type { FromReader, ToReader } from './read-capture';

const post = (m: FromReader, transfer: Transferable[] = []) => self.postMessage(m, { transfer });

self.onmessage = async ({ data }: MessageEvent<ToReader>) => {
  try {
    const buffer = data instanceof Blob ? await data.arrayBuffer() : data;
    const bytes = new Uint8Array(buffer);
    const capture = indexCapture(bytes, (done) => post({ type: 'progress', part: done / bytes.length }));
    const streams = captureStreams(capture);
    post({ type: 'read', bytes, capture, streams }, [
      buffer,
      ...buffersOf(capture.columns),
      ...streamBuffers(streams),
    ]);
  } catch (e) {
    post({ type: 'failed', message: e instanceof Error ? e.message : String(e) });
  }
};
