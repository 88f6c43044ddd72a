import { Z_BUF_ERROR, Z_NO_FLUSH, Z_STREAM_END, zlibInflate, zlibInflateInit2, ZStream } from 'pako';

/** zlib: gzip alone, with the largest window. */
const GZIP = 16 + 15;
const CHUNK = 1 << 16;

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/**
 * Unpacks gzip data that comes in parts. The data may have several members in a row, as pigz, bgzip and `cat` write it,
 * and zeros behind them. The data before damage is unpacked.
 */
export class Gunzip {
  readonly #output = new Uint8Array(CHUNK);
  #member: ZStream | null = null;
  #members = 0;
  #damage: string | undefined;

  /** `out` gets the unpacked bytes. */
  constructor(readonly out: (bytes: Uint8Array<ArrayBuffer>) => void) {}

  push(part: Uint8Array): void {
    let at = 0;
    while (at < part.length && this.#damage === undefined) {
      if (!this.#member) {
        while (this.#members > 0 && part[at] === 0) at++;
        if (at === part.length) return;
        this.#member = new ZStream();
        this.#members++;
        zlibInflateInit2(this.#member, GZIP);
      }
      at = this.#inflate(this.#member, part, at);
    }
  }

  /** Unpacks to the end of the part, or of the member. Returns the offset of that end. */
  #inflate(member: ZStream, part: Uint8Array, from: number): number {
    member.input = part;
    member.next_in = from;
    member.avail_in = part.length - from;
    do {
      member.output = this.#output;
      member.next_out = 0;
      member.avail_out = CHUNK;
      const status = zlibInflate(member, Z_NO_FLUSH);
      if (member.next_out > 0) this.out(this.#output.slice(0, member.next_out));
      if (status === Z_STREAM_END) this.#member = null;
      else if (status < 0 && status !== Z_BUF_ERROR) this.#broken(member);
    } while (this.#member === member && this.#damage === undefined && member.avail_out === 0);
    return member.next_in;
  }

  #broken({ total_out, msg }: ZStream): void {
    const behind = this.#members > 1 && total_out === 0;
    this.#damage = behind ? `${msg}: what follows is no gzip data` : msg;
  }

  /** Ends the data. Returns the error in it, if there is one. */
  end(): string | undefined {
    return this.#damage ?? (this.#member ? 'unexpected end of file' : undefined);
  }
}
