import type { RunRecording } from './record.js';
import type { SourceLine, TaskPoint } from './task.js';

/** A fault: one or two sentences with the observation of the device. */
export interface Fault {
  why: string;
  at?: SourceLine;
  /** Set if the message was not seen at all. `why` is then the same for all points about the message. */
  ofMessage?: true;
}

export interface Point extends TaskPoint {
  /** Null where the recording shows what the point asks for. */
  look: (recording: RunRecording) => Fault | null;
}

export const fault = (why: string, at?: SourceLine): Fault => ({ why, ...(at && { at }) });

/** The first fault of several looks. */
export const firstFault = (...faults: readonly (Fault | null)[]): Fault | null =>
  faults.find((one) => one !== null) ?? null;
