import { findLab } from '@verbslab/labs';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const CONTROL = 24;

it('notices a wrong CTS, another immediate, a copy that is missing, and a sender that learns too early', async () => {
  const lab = tampered(findLab('rendezvous'), {
    args: (op, args, endpoint) => {
      if (op === 'postRecv' && 'wr' in args && args.wr.local?.[0]?.length === CONTROL)
        // The SEND that is to be too long fits.
        return { ...args, wr: { ...args.wr, local: [{ ...args.wr.local[0], length: CONTROL + 1 }] } };
      if (op === 'performRounds' && 'moves' in args && args.moves[0]?.move === 'copy')
        return { ...args, moves: [{ ...args.moves[0], length: 1 }, ...args.moves.slice(1)] };
      if (op === 'writeMemory' && 'base64' in args && endpoint === 'receiver')
        return { ...args, base64: `A${args.base64.slice(1)}` };
      if (
        op === 'postSend' &&
        'wr' in args &&
        'opcode' in args.wr &&
        args.wr.opcode === 'RDMA_WRITE_WITH_IMM'
      )
        return { ...args, wr: { ...args.wr, imm: 2 } };
      return args;
    },
    result: (op, result, endpoint) =>
      op === 'pollCq' && endpoint === 'sender' && 'completions' in result
        ? { ...result, completions: [{}] as never }
        : result,
  });
  const params = { largest: 65_536, messages: 3, repeat: 1 };
  expect(failedChecks(await finishLab(lab, { params })).sort()).toEqual([
    'bounce',
    'bytes',
    'fin',
    'ready',
    'too-long',
    'waits',
  ]);
});
