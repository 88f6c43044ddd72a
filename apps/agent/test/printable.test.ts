/** Control characters of others never reach the terminal: only the sequences of this file leave the command. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { AppError } from '@verbslab/protocol';
import { describe, expect, it, vi } from 'vitest';
import { main } from '../src/cli/main.js';
import { bold, print, printError, printJson, printStep, table } from '../src/cli/terminal.js';
import { createLogger } from '../src/base/log.js';
import { printable, printableLine } from '../src/base/printable.js';
import { newHome } from './helpers/agent.js';

/** C0 but tab and line feed, DEL, C1, marks and overrides of direction, separators. */
const CONTROL = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
const controlIn = (text: string): boolean => CONTROL.test(text.replace(/[\t\n]/g, ''));
const HOSTILE = 'x\u001b]0;title\u0007\u001b[2J\r\u009b31m\u007f\u202edcba\u2066\u200f\u0000y';

async function streamsOf(work: () => unknown): Promise<{ stdout: string; stderr: string }> {
  const text = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk: unknown): boolean => {
      text[name] += String(chunk);
      return true;
    }),
  );
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = 0;
  }
  return text;
}

async function written(work: () => unknown): Promise<string> {
  const { stdout, stderr } = await streamsOf(work);
  return stdout + stderr;
}

describe('text for the terminal', () => {
  it('has no control character but tab and line feed, whatever it was, and loses nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(controlIn(printable(text))).toBe(false);
        expect(printableLine(text)).not.toMatch(/[\t\n]/);
        if (!controlIn(text)) expect(printable(text)).toBe(text);
      }),
    );
  });

  it('shows what was escaped', () => {
    expect(printable('\u001b[2J\u009b\u202e')).toBe('\\u001b[2J\\u009b\\u202e');
  });

  it.each([
    ['print', () => print(`${bold('name')} ${HOSTILE}`)],
    ['printStep', () => printStep(HOSTILE)],
    ['printError', () => printError(new AppError('USAGE', { detail: HOSTILE, hint: HOSTILE }))],
    ['printJson', () => printJson({ [HOSTILE]: HOSTILE })],
    ['table', () => print(table([[HOSTILE, '1']]))],
    ['an unknown command', () => main(['node', 'verbslab', HOSTILE])],
    ['a missing file', () => main(['node', 'verbslab', 'decode', `/no/${HOSTILE}`])],
    ['a missing program', () => main(['node', 'verbslab', 'exec', '--', HOSTILE])],
    ['an unknown message', () => main(['node', 'verbslab', 'doctor', '--explain', HOSTILE])],
  ])('is escaped by %s', async (_what, work) => {
    const text = await written(work);
    expect(text).toContain('x');
    expect(controlIn(text)).toBe(false);
  });

  it('stays the same JSON', async () => {
    const value = { [HOSTILE]: [HOSTILE] };
    const text = await written(() => printJson(value));
    expect(JSON.parse(text)).toEqual(value);
  });

  it('keeps an error on its lines, so that text of others cannot pass for another line', async () => {
    const error = new AppError('USAGE', { detail: 'a\nerror: forged', hint: 'b' });
    expect((await written(() => printError(error))).trimEnd().split('\n')).toHaveLength(2);
  });

  it('of a capture is escaped, as text and as JSON', async () => {
    // A section header with a comment (option 1) and an interface without packets.
    const comment = Buffer.from(HOSTILE);
    const padded = Buffer.concat([comment, Buffer.alloc(-comment.length & 3)]);
    const block = Buffer.alloc(28 + 4 + padded.length + 4);
    block.writeUInt32LE(0x0a0d0d0a, 0);
    block.writeUInt32LE(block.length, 4);
    block.writeUInt32LE(0x1a2b3c4d, 8);
    block.writeUInt16LE(1, 12);
    block.writeBigInt64LE(-1n, 16);
    block.writeUInt16LE(4, 24); // shb_userappl
    block.writeUInt16LE(comment.length, 26);
    padded.copy(block, 28);
    block.writeUInt32LE(block.length, block.length - 4);
    const path = join(newHome(), 'capture.pcapng');
    writeFileSync(path, block);
    // Node may write a warning to stderr meanwhile.
    const { stdout, stderr } = await streamsOf(() => main(['node', 'verbslab', 'decode', '--json', path]));
    expect((JSON.parse(stdout) as { application: string }).application).toBe(HOSTILE);
    expect(controlIn(stdout + stderr)).toBe(false);
  });

  it('colors are the command’s own only', async () => {
    const text = await written(() => print(bold(HOSTILE)));
    expect(text).not.toContain('\u001b[2J');
  });

  it('in the log is escaped too', () => {
    // pino writes by the descriptor: what the logger hands on is looked at where it is made.
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    logger.info({ peer: HOSTILE }, HOSTILE);
    expect(lines).toHaveLength(1);
    expect(controlIn(lines[0]!)).toBe(false);
    expect(JSON.parse(lines[0]!)).toMatchObject({ peer: HOSTILE, msg: HOSTILE });
  });
});
