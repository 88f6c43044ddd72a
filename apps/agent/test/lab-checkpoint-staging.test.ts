import { findLab } from '@verbslab/labs';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const SHARD = 4096;
const params = { shards: 2, shardBytes: SHARD, commits: 2, rounds: 3, repeat: 1 };

it('notices shards that never arrive whole, and a staging host that gets a completion', async () => {
  const lab = tampered(findLab('checkpoint-staging'), {
    args: (op, args, endpoint) => {
      if (endpoint !== 'trainer') return args;
      if (op === 'faults' && 'rules' in args) return { ...args, rules: [] };
      // A byte of every shard is missing.
      if (op === 'postAndWait' && 'wr' in args && args.wr.local?.[0]?.length === SHARD)
        return { ...args, wr: { ...args.wr, local: [{ ...args.wr.local[0], length: SHARD - 1 }] } };
      if (op === 'postSendList' && 'wrs' in args)
        return { ...args, wrs: [{ ...args.wrs[0]!, local: args.wrs[1]!.local }, ...args.wrs.slice(1)] };
      return args;
    },
    result: (op, result, endpoint) =>
      op === 'queryQp' && endpoint === 'staging' && 'state' in result ? { ...result, state: 'ERR' } : result,
  });
  expect(failedChecks(await finishLab(lab, { params })).sort()).toEqual([
    'ack',
    'data-first',
    'death',
    'in-place',
    'record-first',
    'together',
    'untold',
  ]);
});

it('notices a verification that finds every checksum in order', async () => {
  let sums: Buffer = Buffer.alloc(0);
  const lab = tampered(findLab('checkpoint-staging'), {
    result: (op, result, endpoint) => {
      if (endpoint !== 'restorer') return result;
      // The record comes in a few digits, the manifest in many.
      if (op === 'readMemory' && 'base64' in result && result.base64.length > 12)
        sums = Buffer.from(result.base64, 'base64').subarray(8);
      if (op !== 'hashMemory' || !('sha256' in result)) return result;
      const next = sums.subarray(0, 32).toString('hex');
      sums = sums.subarray(32);
      return { ...result, sha256: next };
    },
  });
  expect(failedChecks(await finishLab(lab, { params }))).toEqual(['verify']);
});
