/** Where the reports of the processes of a program go. */
import type { ProgramEvent } from '@verbslab/protocol';
import type { TakeStandstill } from './process-standstill.js';
import type { RawPlace } from './source-lines.js';
import type { WorkTally } from './work-tally.js';

/** A finding of a process whose place has no source line yet. */
export type UnplacedFinding = Omit<Extract<ProgramEvent, { kind: 'finding' }>, 'where' | 'place'>;

export interface FeedOutlet {
  event(event: ProgramEvent): void;
  frame(frame: Uint8Array): void;
  finding(finding: UnplacedFinding, place: RawPlace | null): void;
  standstill: TakeStandstill;
  /** A number for a source of frames, unique in the run. */
  newSource(): number;
  readonly work: WorkTally;
}
