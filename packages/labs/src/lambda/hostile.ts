/** Functions that a target must refuse or stop. */
import { WASM_PAGE_BYTES } from '@verbslab/protocol';
import { assemble, wasm as w } from './assemble.js';

const MIB = 2 ** 20;

/** Text, where a module is expected. */
export const notModule = Uint8Array.from('print("hello")', (each) => each.charCodeAt(0));

export const importing = (name: string): Uint8Array =>
  assemble({ functions: [['env', name]], body: [w.call(0), w.i32(0)] });

/** Declares `bytes` of memory. */
export const declaring = (bytes: number): Uint8Array =>
  assemble({ pages: Math.ceil(bytes / WASM_PAGE_BYTES), body: [w.i32(0)] });

/** Asks for a page again and again, until it gets none. Answers with the pages that it had then. */
export const growing = assemble({
  words: 1,
  body: [
    w.block(w.loop(w.i32(1), w.memoryGrow, w.set(4), w.get(4), w.i32(-1), w.eq, w.brIf(1), w.br(0))),
    w.get(2),
    w.i32(0),
    w.memoryGrow,
    w.store(),
    w.i32(4),
  ],
});

export const looping = assemble({ body: [w.loop(w.br(0)), w.unreachable] });

/** Reads far behind its memory. */
export const straying = assemble({ body: [w.i32(-4), w.load()] });

/** Calls itself without end. */
export const recursing = assemble({
  body: [w.get(0), w.get(1), w.get(2), w.get(3), w.call(0)],
});

/** Claims that `bytes` of output are there. */
export const claiming = (bytes: number): Uint8Array => assemble({ body: [w.i32(bytes)] });

export const TOO_MUCH_MEMORY = 1024 * MIB;
