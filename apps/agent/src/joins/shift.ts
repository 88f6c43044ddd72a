import {
  FRAME_HEADER_BYTES,
  WR_STAGES,
  decodeHeader,
  type FrameHeader,
  type RunEvent,
} from '@verbslab/protocol';

/** The changes that turn the stream of a part into a stretch of the joined one. */
export interface Shift {
  /** Offset from the part’s clock to the joined one, ns. */
  ns: number;
  /** Commands of the parts before it. */
  commands: number;
  /** The number of a source in the joined run. */
  source: (of: number) => number;
}

/** Returns the event on the clock of the joined run, with that run's numbers. */
export function shiftEvent(event: RunEvent, { ns, commands, source }: Shift): RunEvent {
  const moved: RunEvent = { ...event, t: event.t + ns };
  if (moved.kind === 'source') moved.source = source(moved.source);
  else if (moved.kind === 'command') moved.index += commands;
  else if (moved.kind === 'wr') {
    for (const [stage] of WR_STAGES) {
      const t = moved[stage];
      if (t !== null) moved[stage] = t + ns;
    }
  } else if (moved.kind === 'output') {
    const command = (moved.command ?? 0) + commands;
    if (command > 0) moved.command = command;
  }
  return moved;
}

/** Offsets in the header of a frame: packages/protocol/src/frames.ts. */
const SOURCE_AT = 12;
const T_AT = 24;

/** Returns the frame on the clock of the joined run, with that run's numbers. Throws FrameError. */
export function shiftFrame(frame: Uint8Array, { ns, source }: Shift): { header: FrameHeader; bytes: Buffer } {
  const header = decodeHeader(frame);
  const bytes = Buffer.from(frame);
  const moved = { ...header, t: header.t + ns, source: source(header.source) };
  bytes.writeUInt32LE(moved.source, SOURCE_AT);
  bytes.writeDoubleLE(moved.t, T_AT);
  // All other times are relative to that of the header.
  if (header.kind === 'series')
    for (let index = 0; index < header.count; index++) {
      const at = FRAME_HEADER_BYTES + index * 8;
      bytes.writeDoubleLE(bytes.readDoubleLE(at) + ns, at);
    }
  return { header: moved, bytes };
}
