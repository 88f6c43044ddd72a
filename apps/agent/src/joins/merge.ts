import { commandsOf, FrameError, type RunEvent } from '@verbslab/protocol';
import type { StreamReader } from '../store/stream-reader.js';
import type { Part } from './plan.js';
import { shiftEvent, shiftFrame, type Shift } from './shift.js';

/** An item of the joined stream, without its place in it. */
export type Item =
  | { part: number; t: number; event: RunEvent; frame: null }
  | { part: number; t: number; event: null; frame: Buffer };

/** Sources of the joined run, in the order in which its parts name them. */
class Sources {
  #last = 0;

  /** Maps the source numbers of a part. */
  of(): Shift['source'] {
    const known = new Map<number, number>();
    return (source) => {
      const number = known.get(source) ?? ++this.#last;
      known.set(source, number);
      return number;
    };
  }
}

/** Events that each part has for itself; the joined run gets its own. */
const OWN = new Set(['run.state', 'result']);

function* partItems(
  part: Part,
  index: number,
  reader: StreamReader,
  source: Shift['source'],
): Generator<Item> {
  const { record, ns, commands } = part;
  const shift: Shift = { ns, commands, source };
  // A part with a single command records no command events, so they are made here.
  const alone = record.result?.program?.commands === undefined;
  const command = commandsOf(record)[0] ?? [];
  const edge = (t: number, phase: 'begin' | 'end', end = {}): Item => ({
    part: index,
    t,
    event: { seq: 0, t, kind: 'command', phase, index: commands, command, ...end },
    frame: null,
  });
  if (alone) yield edge(ns, 'begin');
  let last = ns;
  for (let item = reader.next(); item; item = reader.next()) {
    if (item.frame) {
      try {
        const { header, bytes } = shiftFrame(item.frame, shift);
        last = Math.max(last, header.t);
        yield { part: index, t: header.t, event: null, frame: bytes };
      } catch (error) {
        // The recording of the part says what could not be read.
        if (!(error instanceof FrameError)) throw error;
      }
      continue;
    }
    const event = JSON.parse(item.json!) as RunEvent;
    if (OWN.has(event.kind)) continue;
    const shifted = shiftEvent(event, shift);
    last = Math.max(last, shifted.t);
    yield { part: index, t: shifted.t, event: shifted, frame: null };
  }
  const { exitCode = null, signal = null } = record.result?.program ?? {};
  if (alone) yield edge(last, 'end', { exitCode, signal });
}

/** Merges the streams of all parts by time. Items of a part stay in their order. */
export function* mergeParts(parts: readonly Part[], readers: readonly StreamReader[]): Generator<Item> {
  const sources = new Sources();
  const streams = parts.map((part, index) => {
    const items = partItems(part, index, readers[index]!, sources.of());
    return { items, head: items.next(), reached: 0 };
  });
  for (;;) {
    let next: (typeof streams)[number] | null = null;
    for (const stream of streams) {
      if (stream.head.done) continue;
      stream.reached = Math.max(stream.reached, stream.head.value.t);
      if (next === null || stream.reached < next.reached) next = stream;
    }
    if (next === null || next.head.done) return;
    yield next.head.value;
    next.head = next.items.next();
  }
}
