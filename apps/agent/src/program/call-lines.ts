import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { zCount, type CallPlace } from '@verbslab/protocol';
import { z } from 'zod';
import type { UnplacedFinding } from './feed-outlet.js';

const MAX_BYTES = 4 * 1024 * 1024;
const SOURCE = 'main.ts';
const LEAK = 'object-leaked';
/** Findings about a failed post, which name no request. */
const OF_POST = new Set(['post-wrong-state', 'post-invalid', 'queue-full']);
/** Findings whose place is the posting call, not the call that created the object. */
const IN_CALL = new Set(['sge-outside-mr', 'send-queue-unsignaled', 'request-failed']);

const zLine = z.int().min(1);
const zLines = z.object({
  objects: z
    .array(z.object({ object: z.string().max(64), kind: z.string(), line: zLine, closed: z.boolean() }))
    .max(20_000),
  requests: z.record(z.string(), zLine),
  refused: z.record(z.string(), zLine),
});
/** Lines that a TypeScript program recorded for its calls (packages/verbs/src/call-lines.ts). */
export type CallLines = z.infer<typeof zLines>;

/** Reads the lines; null if the program recorded none. Never throws: the program can write anything there. */
export function readCallLines(path: string): CallLines | null {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(fd);
    if (!found.isFile() || zCount.parse(found.size) > MAX_BYTES) return null;
    return zLines.parse(JSON.parse(readFileSync(fd, 'utf8')));
  } catch {
    return null;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const placeAt = (line: number): CallPlace => ({
  function: null,
  object: SOURCE,
  offset: '0x0',
  file: SOURCE,
  line,
});

export interface PlacedFinding {
  finding: UnplacedFinding;
  /** Null if the line is unknown. */
  place: CallPlace | null;
}

/**
 * Gives a finding the line of its object or request. The device reports all leaks of a kind as one, because all come
 * from the same call of the addon: here each line gets a finding.
 */
export function placeByLines(lines: CallLines, finding: UnplacedFinding): PlacedFinding[] {
  if (finding.id === LEAK) return leaksOf(lines, finding);
  const line = lineOf(lines, finding);
  return [{ finding, place: line === undefined ? null : placeAt(line) }];
}

function lineOf({ objects, requests, refused }: CallLines, finding: UnplacedFinding): number | undefined {
  const { id, object, request } = finding;
  const posted = request?.wrId === undefined ? undefined : requests[`${request.qpn} ${request.wrId}`];
  if (IN_CALL.has(id)) return posted;
  if (OF_POST.has(id)) return refused[String(parseInt(object.replace('QP ', ''), 16))];
  return posted ?? objects.find((one) => one.object === object)?.line;
}

function leaksOf({ objects }: CallLines, finding: UnplacedFinding): PlacedFinding[] {
  const kind = objects.find(({ object }) => object === finding.object)?.kind;
  const left = objects.filter((one) => one.kind === kind && !one.closed);
  // Some leaked objects were created outside of the recorded calls: the device's finding stays as it is.
  if (kind === undefined || left.length !== finding.count)
    return [{ finding, place: left.length === 0 ? null : placeAt(left[0]!.line) }];
  const byLine = new Map<number, typeof left>();
  for (const one of left) byLine.set(one.line, [...(byLine.get(one.line) ?? []), one]);
  return [...byLine].map(([line, made]) => ({
    finding: {
      ...finding,
      object: made[0]!.object,
      count: made.length,
      detail:
        made.length === 1
          ? 'was never destroyed'
          : `and ${made.length - 1} more made at the same place were never destroyed`,
      cure: made.length === 1 ? finding.cure.replace(' on each before exit', ' before exit') : finding.cure,
    },
    place: placeAt(line),
  }));
}
