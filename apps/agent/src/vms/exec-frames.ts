/**
 * The command channel of a machine: one TCP connection a command. The caller sends one line of JSON (ExecRequest),
 * then both sides send frames: kind (1 byte), length (4 bytes, big-endian), payload.
 * The machine's side loads this file: it needs no library, for under software emulation each costs a second.
 */

export interface ExecRequest {
  token: string;
  /** Program and arguments; null is a shell. */
  command: string[] | null;
  env: Record<string, string>;
  /** A terminal of this size, if the client has one. */
  terminal: { rows: number; columns: number; type: string } | null;
}

export const Kind = {
  Stdin: 0,
  /** Nothing more comes on standard input. */
  StdinEnd: 1,
  Stdout: 2,
  Stderr: 3,
  /** JSON ExecEnd: the last frame. */
  End: 4,
} as const;

export interface ExecEnd {
  code: number | null;
  signal: string | null;
  /** Reason if the command could not be started. */
  error: string | null;
}

const HEAD = 5;
/** Larger than any chunk that Node reads from a pipe or a socket. */
const MAX_PAYLOAD = 1 << 20;
/** Bytes of the request's line. */
export const MAX_REQUEST = 1 << 20;

export function frame(kind: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUInt8(kind, 0);
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

/** Cuts a stream into frames. Throws RangeError for an impossible length. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  *read(chunk: Buffer): Generator<{ kind: number; payload: Buffer }> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= HEAD) {
      const length = this.#rest.readUInt32BE(1);
      if (length > MAX_PAYLOAD) throw new RangeError(`a frame of ${length} bytes`);
      if (this.#rest.length < HEAD + length) return;
      const kind = this.#rest.readUInt8(0);
      const payload = this.#rest.subarray(HEAD, HEAD + length);
      this.#rest = this.#rest.subarray(HEAD + length);
      yield { kind, payload };
    }
  }
}
