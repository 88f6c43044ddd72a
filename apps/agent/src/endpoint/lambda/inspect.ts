/**
 * Imports and memory of a WebAssembly module: the JavaScript API reports neither sizes nor anything that is not
 * exported.
 */

export interface Limits {
  min: number;
  /** Undefined for no maximum. */
  max: number | undefined;
}

export interface Inspected {
  /** Everything imported, as `module.name`, with its kind. */
  imports: { name: string; kind: 'function' | 'table' | 'memory' | 'global' | 'tag' }[];
  /** Pages of the imported memory; undefined if the module imports none. */
  memory: Limits | undefined;
  /** True if the imported memory is shared between threads or has 64-bit addresses. */
  unusualMemory: boolean;
  /** Memories that the module defines itself. */
  ownMemories: number;
  /** Sizes of the tables that the module defines, in entries. */
  tables: Limits[];
}

const KINDS = ['function', 'table', 'memory', 'global', 'tag'] as const;
const SECTION = { imports: 2, tables: 4, memories: 5 } as const;
const HAS_MAX = 1;
const HEADER_BYTES = 8;

class Reader {
  #at: number;

  constructor(
    readonly bytes: Uint8Array,
    at: number,
    readonly end: number,
  ) {
    this.#at = at;
  }

  get done(): boolean {
    return this.#at >= this.end;
  }

  get at(): number {
    return this.#at;
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  byte(): number {
    if (this.done) throw new RangeError('the module ends within a section');
    return this.bytes[this.#at++]!;
  }

  /** Unsigned LEB128. */
  u(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  text(): string {
    const length = this.u();
    const from = this.#at;
    this.skip(length);
    return Buffer.from(this.bytes.subarray(from, from + length)).toString('utf8');
  }

  limits(): Limits & { flags: number } {
    const flags = this.byte();
    const min = this.u();
    return { flags, min, max: (flags & HAS_MAX) !== 0 ? this.u() : undefined };
  }
}

/**
 * Inspects a module that the engine has compiled, so its form is known to be right. Throws RangeError for anything
 * else.
 */
export function inspect(bytes: Uint8Array): Inspected {
  const found: Inspected = {
    imports: [],
    memory: undefined,
    unusualMemory: false,
    ownMemories: 0,
    tables: [],
  };
  const all = new Reader(bytes, HEADER_BYTES, bytes.length);
  while (!all.done) {
    const id = all.byte();
    const length = all.u();
    const section = new Reader(bytes, all.at, Math.min(bytes.length, all.at + length));
    all.skip(length);
    if (id === SECTION.imports) readImports(section, found);
    else if (id === SECTION.memories) found.ownMemories = section.u();
    else if (id === SECTION.tables) readTables(section, found);
  }
  return found;
}

function readImports(section: Reader, found: Inspected): void {
  for (let left = section.u(); left > 0; left--) {
    const name = `${section.text()}.${section.text()}`;
    const kind = KINDS[section.byte()];
    if (kind === undefined) throw new RangeError('the module imports something unknown');
    found.imports.push({ name, kind });
    if (kind === 'memory') {
      const { flags, ...limits } = section.limits();
      found.memory = limits;
      found.unusualMemory ||= (flags & ~HAS_MAX) !== 0;
    } else if (kind === 'function') section.u();
    // A module with any other import is refused, so the rest is not needed.
    else return;
  }
}

function readTables(section: Reader, found: Inspected): void {
  for (let left = section.u(); left > 0; left--) {
    section.byte();
    const { min, max } = section.limits();
    found.tables.push({ min, max });
  }
}
