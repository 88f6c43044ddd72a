/**
 * The two pipes between an agent and an endpoint process. Messages: a JSON object per line, both ways. Frames: a length
 * (u32, little-endian) and that many bytes, from the endpoint only. The endpoint inherits them as the descriptors
 * below; the end of the message pipe shows each side that the other is gone.
 */
import { parseJson } from '@verbslab/protocol';
import type { Readable, Writable } from 'node:stream';

export const MESSAGE_FD = 3;
export const FRAME_FD = 4;

/** Longest line and frame accepted, bytes; a longer one means that the other side is broken. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** The reason of an error, as the end of a sentence. */
const why = (error: unknown): string => (error as Error).message.replace(/\.$/, '');

export function writeMessage(pipe: Writable, message: unknown): void {
  pipe.write(`${JSON.stringify(message)}\n`);
}

/**
 * Calls back with every line, parsed. A line that is not JSON or too long, or on which `onMessage` throws, ends the
 * reading with `onBroken`: thrown from here, the error would end the process.
 */
export function readMessages(
  pipe: Readable,
  onMessage: (message: unknown) => void,
  onBroken: (reason: string) => void,
): void {
  let parts: Buffer[] = [];
  let kept = 0;
  let broken = false;
  const breakOff = (reason: string): void => {
    parts = [];
    broken = true;
    onBroken(reason);
  };
  pipe.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1 && !broken; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end));
      const line = Buffer.concat(parts).toString('utf8');
      parts = [];
      kept = 0;
      from = end + 1;
      try {
        onMessage(parseJson(line));
      } catch (error) {
        breakOff(`a message that cannot be read (${why(error)})`);
      }
    }
    if (from < chunk.length && !broken) {
      parts.push(chunk.subarray(from));
      kept += chunk.length - from;
      if (kept > MAX_LINE_BYTES) breakOff('a line without end');
    }
  });
}

/**
 * Bytes that may wait before the pipe counts as full: a quarter of a second of three million completions per second. An
 * agent that collects garbage or writes to its disk may be that late. Node's own mark (16 KiB) would call the pipe full
 * after every frame.
 */
const PIPE_BYTES = 24 * 1024 * 1024;

/** True if frames that can be left out should be sent now. */
export function hasRoom(pipe: Writable): boolean {
  return pipe.writableLength < PIPE_BYTES;
}

/** Writes a frame. `onWritten` is called when its memory is no longer read. */
export function writeFrame(pipe: Writable, frame: Uint8Array, onWritten?: () => void): void {
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32LE(frame.byteLength);
  pipe.cork();
  pipe.write(length);
  pipe.write(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength), onWritten);
  process.nextTick(() => pipe.uncork());
}

/**
 * Calls back with every frame. Each frame has its own memory, aligned to 8, possibly from `allocate`. A frame that is
 * too long, or on which `onFrame` throws, ends the reading with `onBroken`.
 */
export function readFrames(
  pipe: Readable,
  onFrame: (frame: Uint8Array) => void,
  onBroken: (reason: string) => void,
  // Buffer's own pool does not do: columns need alignment, and a frame may be kept for long.
  allocate: (bytes: number) => Buffer = (bytes) => Buffer.allocUnsafeSlow(bytes),
): void {
  const header = Buffer.alloc(4);
  let headerBytes = 0;
  let frame: Buffer | null = null;
  let frameBytes = 0;
  let broken = false;
  pipe.on('data', (chunk: Buffer) => {
    let from = 0;
    while (from < chunk.length && !broken) {
      if (!frame) {
        const taken = chunk.copy(header, headerBytes, from);
        headerBytes += taken;
        from += taken;
        if (headerBytes < 4) return;
        headerBytes = 0;
        const length = header.readUInt32LE();
        if (length > MAX_FRAME_BYTES) {
          broken = true;
          onBroken(`a frame of ${length} bytes`);
          return;
        }
        frame = allocate(length);
        frameBytes = 0;
      }
      const taken = chunk.copy(frame, frameBytes, from);
      frameBytes += taken;
      from += taken;
      if (frameBytes === frame.length) {
        const whole = frame;
        frame = null;
        try {
          onFrame(whole);
        } catch (error) {
          broken = true;
          onBroken(`a frame that cannot be read (${why(error)})`);
        }
      }
    }
  });
}
