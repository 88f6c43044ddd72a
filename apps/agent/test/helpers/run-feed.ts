/** The feed of a process, run through the agent's part of `verbslab exec`. */
import { zProgramEvent, type ProgramEvent } from '@verbslab/protocol';
import { FeedDecoder } from '../../src/program/messages.js';
import type { UnplacedStandstill } from '../../src/program/process-standstill.js';
import type { UnplacedFinding } from '../../src/program/feed-outlet.js';
import { ProcessFeed } from '../../src/program/process-feed.js';
import { WorkTally } from '../../src/program/work-tally.js';

export const CLOCK = 5_000_000_000_000n;

interface Ran {
  events: ProgramEvent[];
  frames: Uint8Array[];
  findings: UnplacedFinding[];
  stills: UnplacedStandstill[];
  work: WorkTally;
}

/** Reads the whole feed of a process that then ends. */
export function run(bytes: Buffer): Ran {
  const work = new WorkTally();
  const events: ProgramEvent[] = [];
  const frames: Uint8Array[] = [];
  const findings: UnplacedFinding[] = [];
  const stills: UnplacedStandstill[] = [];
  let sources = 0;
  const feed = new ProcessFeed(CLOCK, {
    event: (event) => events.push(zProgramEvent.parse(event)),
    frame: (frame) => frames.push(frame),
    newSource: () => ++sources,
    work,
    finding: (finding) => findings.push(finding),
    standstill: (still) => stills.push(still),
  });
  for (const one of new FeedDecoder().push(bytes)) feed.take(one);
  feed.end();
  return { events, frames, findings, stills, work };
}

export const kinds = (events: readonly ProgramEvent[]): string[] => events.map(({ kind }) => kind);
