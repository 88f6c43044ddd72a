import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_LINE_CHARS, readLines } from '../src/endpoint/lines.js';

function reader(): { pipe: PassThrough; lines: string[] } {
  const pipe = new PassThrough();
  const lines: string[] = [];
  readLines(pipe, (line) => lines.push(line));
  return { pipe, lines };
}

async function linesOf(pieces: readonly Uint8Array[]): Promise<string[]> {
  const { pipe, lines } = reader();
  for (const piece of pieces) pipe.write(piece);
  pipe.end();
  await new Promise((resolve) => pipe.once('end', resolve));
  return lines;
}

const seed = Number(process.env.VERBSLAB_SEED ?? Date.now() % 2 ** 31);
console.log(`lines seed ${seed}`);

describe('lines that a process prints', () => {
  it('are the same however its output is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.stringMatching(/^[^\n\r]*$/)),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        async (lines, sizes) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const pieces: Uint8Array[] = [];
          for (let at = 0, i = 0; at < bytes.length; i++) {
            const size = sizes[i % sizes.length]!;
            pieces.push(bytes.subarray(at, at + size));
            at += size;
          }
          expect(await linesOf(pieces)).toEqual(lines.map((line) => Buffer.from(line).toString()));
        },
      ),
      { seed, numRuns: 200 },
    );
  });

  it('may end with a carriage return, or with the output', async () => {
    expect(await linesOf([Buffer.from('one\r\n\ntwo')])).toEqual(['one', '', 'two']);
  });

  it('are cut at a limit as soon as they reach it, and the next line is whole', async () => {
    const { pipe, lines } = reader();
    const piece = 'x'.repeat(1000);
    for (let sent = 0; sent < 3 * MAX_LINE_CHARS; sent += piece.length) pipe.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
    // The line is passed on without waiting for an end that never comes.
    expect(lines).toHaveLength(1);
    expect(lines[0]).toBe(`${'x'.repeat(MAX_LINE_CHARS)} … (cut after 64 Ki characters)`);
    pipe.end('\nnext\n');
    await new Promise((resolve) => pipe.once('end', resolve));
    expect(lines.slice(1)).toEqual(['next']);
  });
});
