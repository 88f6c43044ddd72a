import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered, tooBusyChecks } from './helpers/lab-results.js';

const inline = findLab('inline');
const SHORT = { largest: 32, duration: 20, repeat: 1 };

describe('inline data', () => {
  it('notices payloads that are sent in the other way', async () => {
    const lab = tampered(inline, {
      args: (op, args) =>
        op === 'postSend' && 'wr' in args && 'opcode' in args.wr
          ? { ...args, wr: { ...args.wr, inline: !args.wr.inline } }
          : args,
      result: (op, result) =>
        op === 'loop.wait' && 'bytes' in result ? { ...result, bytes: result.bytes + 1 } : result,
    });
    expect(failedChecks(await finishLab(lab, { params: SHORT }))).toEqual([
      'same-work',
      'too-large',
      'inline-kept',
      'gathered-late',
    ]);
  });

  it('cannot tell where the machine let no message complete', async () => {
    const idle = tampered(inline, {
      result: (op, result) =>
        op === 'loop.wait' && 'bytes' in result ? { ...result, bytes: 0, messages: 0 } : result,
    });
    const run = await finishLab(idle, { params: SHORT });
    expect(failedChecks(run)).toEqual([]);
    expect(tooBusyChecks(run)).toEqual(['same-work']);
  });
});
