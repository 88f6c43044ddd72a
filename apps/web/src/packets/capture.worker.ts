import { buffersOf, indexCapture } from '@verbslab/roce';
import type { FromReader, ToReader } from './read-capture';

const post = (m: FromReader, transfer: Transferable[] = []) => self.postMessage(m, { transfer });

self.onmessage = async ({ data }: MessageEvent<ToReader>) => {
  try {
    const buffer = data instanceof Blob ? await data.arrayBuffer() : data;
    const bytes = new Uint8Array(buffer);
    const capture = indexCapture(bytes, (done) => post({ type: 'progress', part: done / bytes.length }));
    post({ type: 'read', bytes, capture }, [buffer, ...buffersOf(capture.columns)]);
  } catch (e) {
    post({ type: 'failed', message: e instanceof Error ? e.message : String(e) });
  }
};
