import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '../src/lambda/functions.js';
import { claiming, growing } from '../src/lambda/hostile.js';

interface Memory {
  buffer: ArrayBuffer;
}
const { WebAssembly: engine } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object;
    Memory: new (pages: { initial: number; maximum: number }) => Memory;
    Instance: new (module: object, imports: object) => { exports: { run: (...args: number[]) => number } };
  };
};

const INPUT = 4096;
const OUTPUT = 60_000;

/** Runs a module on bytes; its answer and its memory. */
function run(module: Uint8Array, input: Uint8Array, room = 64): { bytes: number; output: Uint8Array } {
  const memory = new engine.Memory({ initial: 1, maximum: 4 });
  const { exports } = new engine.Instance(new engine.Module(module), { env: { memory } });
  new Uint8Array(memory.buffer).set(input, INPUT);
  new Uint8Array(memory.buffer).fill(0xee, OUTPUT, OUTPUT + room);
  const bytes = exports.run(INPUT, input.length, OUTPUT, room);
  return { bytes, output: new Uint8Array(memory.buffer, OUTPUT, Math.min(room, Math.max(0, bytes))).slice() };
}

const inputs: [string, number[]][] = [
  ['none', []],
  ['one', [7]],
  ['the largest words', [0xffff_ffff, 0xffff_ffff, 0x8000_0001, 0x8000_0000]],
  ['ascending', Array.from({ length: 100 }, (_, i) => i * 12_345)],
  ['mixed', Array.from({ length: 1000 }, (_, i) => Math.imul(i, 0x9e37_79b1) >>> 0)],
  ['equal', new Array<number>(20).fill(0x9000_0000)],
];

describe('functions that the labs ship', () => {
  it.each(FUNCTIONS)('$id: answers as the same in JavaScript', ({ module, outputBytes, answer }) => {
    for (const [what, words] of inputs) {
      const input = new Uint8Array(Uint32Array.from(words).buffer);
      const { bytes, output } = run(module, input);
      expect([what, bytes]).toEqual([what, outputBytes]);
      expect([what, ...output]).toEqual([what, ...answer(Uint32Array.from(words))]);
    }
  });

  it('leave out what is no whole word', () => {
    const [sum] = FUNCTIONS;
    expect([...run(sum.module, Uint8Array.of(1, 0, 0, 0, 2, 0, 0)).output]).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('functions that a target must stop', () => {
  it('have the form of the others', () => {
    expect(run(claiming(1 << 30), new Uint8Array(0)).bytes).toBe(1 << 30);
    expect(run(claiming(-1), new Uint8Array(0)).bytes).toBe(-1);
    // The memory may have four pages.
    expect([...run(growing, new Uint8Array(0)).output]).toEqual([4, 0, 0, 0]);
  });
});
