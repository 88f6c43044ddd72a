import { StringDecoder } from 'node:string_decoder';
import { MAX_OUTPUT_TEXT, OUTPUT_KEPT_BYTES, type OutputStream, type ProgramEvent } from '@verbslab/protocol';

/** Pieces of one stream that come within this time are one event. */
const TOGETHER_MS = 50;
const TOGETHER_NS = TOGETHER_MS * 1e6;

/** A byte is at most one character, and the decoder may hold back three bytes of the piece before. */
const PART_BYTES = MAX_OUTPUT_TEXT - 8;

interface Piece {
  t: number;
  bytes: Buffer;
}

interface Stream {
  /** Bytes that were reported live. */
  told: number;
  decoder: StringDecoder;
  last: Piece[];
  lastBytes: number;
  leftOut: number;
}

/** A byte of UTF-8 that begins no character. */
const continues = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Keeps the beginning and the end of each stream of a program, as events of its run. */
export class OutputLog {
  readonly #tell: (event: ProgramEvent) => void;
  readonly #now: () => number;
  readonly #streams = new Map<OutputStream, Stream>();
  #waiting: (Piece & { stream: OutputStream }) | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** `now`: nanoseconds on the run’s clock. */
  constructor(tell: (event: ProgramEvent) => void, now: () => number) {
    this.#tell = tell;
    this.#now = now;
  }

  add(stream: OutputStream, bytes: Buffer): void {
    const of = this.#of(stream);
    const t = this.#now();
    const first = bytes.subarray(0, OUTPUT_KEPT_BYTES - of.told);
    of.told += first.length;
    if (first.length > 0) this.#show(stream, { t, bytes: first });
    if (first.length < bytes.length) keep(of, { t, bytes: bytes.subarray(first.length) });
  }

  /** Reports the end of each stream. */
  end(): void {
    this.#flush();
    for (const [name, stream] of this.#streams) {
      // A character that the cut halved cannot be read.
      const rest = stream.leftOut > 0 ? stream.decoder.end() : '';
      let leftOut = stream.leftOut;
      if (rest !== '') this.#tellText(name, stream.last[0]?.t ?? this.#now(), rest, 0);
      const [begin] = stream.last;
      if (leftOut > 0 && begin) {
        let skip = 0;
        while (skip < Math.min(3, begin.bytes.length) && continues(begin.bytes[skip]!)) skip++;
        begin.bytes = begin.bytes.subarray(skip);
        leftOut += skip;
      }
      for (const piece of stream.last) {
        this.#pieces(name, piece, leftOut);
        leftOut = 0;
      }
      const cut = stream.decoder.end();
      if (cut !== '') this.#tellText(name, this.#now(), cut, 0);
      stream.last = [];
    }
  }

  #of(name: OutputStream): Stream {
    let stream = this.#streams.get(name);
    if (!stream) {
      stream = { told: 0, decoder: new StringDecoder('utf8'), last: [], lastBytes: 0, leftOut: 0 };
      this.#streams.set(name, stream);
    }
    return stream;
  }

  #show(stream: OutputStream, { t, bytes }: Piece): void {
    const waiting = this.#waiting;
    if (waiting?.stream === stream && waiting.bytes.length + bytes.length <= PART_BYTES)
      waiting.bytes = Buffer.concat([waiting.bytes, bytes]);
    else {
      this.#flush();
      this.#waiting = { stream, t, bytes };
    }
    this.#timer ??= setTimeout(() => this.#flush(), TOGETHER_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) this.#pieces(waiting.stream, waiting, 0);
  }

  #pieces(name: OutputStream, { t, bytes }: Piece, leftOut: number): void {
    const { decoder } = this.#of(name);
    for (let at = 0; at < bytes.length; at += PART_BYTES) {
      const part = bytes.subarray(at, at + PART_BYTES);
      this.#tellText(name, t, decoder.write(part), part.length, at === 0 ? leftOut : 0);
    }
  }

  #tellText(stream: OutputStream, t: number, text: string, bytes: number, leftOut = 0): void {
    this.#tell({ kind: 'output', stream, text, bytes, t, ...(leftOut > 0 ? { leftOut } : {}) });
  }
}

/** Appends to the end of a stream, of which only so much is kept. */
function keep(stream: Stream, piece: Piece): void {
  const newest = stream.last.at(-1);
  if (newest && piece.t - newest.t < TOGETHER_NS && newest.bytes.length < MAX_OUTPUT_TEXT)
    newest.bytes = Buffer.concat([newest.bytes, piece.bytes]);
  else stream.last.push(piece);
  stream.lastBytes += piece.bytes.length;
  while (stream.lastBytes > OUTPUT_KEPT_BYTES) {
    const oldest = stream.last[0]!;
    const drop = Math.min(stream.lastBytes - OUTPUT_KEPT_BYTES, oldest.bytes.length);
    oldest.bytes = oldest.bytes.subarray(drop);
    if (oldest.bytes.length === 0) stream.last.shift();
    stream.lastBytes -= drop;
    stream.leftOut += drop;
  }
}
