import type { ToStream } from './link';
import { StreamEnd } from './stream-end';

const end = new StreamEnd((m, transfer = []) => self.postMessage(m, { transfer }));
self.onmessage = (e: MessageEvent<ToStream>) => end.take(e.data);
