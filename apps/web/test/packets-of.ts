import { captureStreams, type IndexedCapture } from '@verbslab/roce';
import type { FileBytes } from '../src/parts/packets/file-bytes';
import { FilePackets } from '../src/parts/packets/file-packets';

/** The packets of a capture that was read, as a page lists them. */
export const packetsOf = (file: FileBytes, capture: IndexedCapture): FilePackets =>
  new FilePackets(file, capture, captureStreams(capture));
