import { findLab } from '@verbslab/labs';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

it('notices chunks out of order, chunks that name another place, a pull that is told, and a model of an older version', async () => {
  let lists = 0;
  let models: object | null = null;
  const lab = tampered(findLab('parameter-server'), {
    args: (op, args, endpoint) => {
      if (op !== 'postSendList' || !('wrs' in args)) return args;
      const [first, second, ...rest] = args.wrs;
      if (endpoint === 'worker-1' && lists++ === 1)
        return { ...args, wrs: [{ ...first!, imm: second!.imm }, { ...second!, imm: first!.imm }, ...rest] };
      if (endpoint === 'worker-2')
        return {
          ...args,
          wrs: [{ ...first!, local: second!.local }, { ...second!, local: first!.local }, ...rest],
        };
      return args;
    },
    result: (op, result, endpoint) => {
      if (op === 'pollCq' && endpoint === 'server' && 'completions' in result)
        return { ...result, completions: [{}] };
      if (op !== 'readMemory' || endpoint !== 'worker-3' || !('base64' in result)) return result;
      models ??= result;
      return models as typeof result;
    },
  });
  expect(failedChecks(await finishLab(lab, { params: { steps: 3 } })).sort()).toEqual([
    'free',
    'headers',
    'model',
    'order',
    'silent',
    'turns',
  ]);
});

it('notices a worker that computes with an older version in lockstep', async () => {
  let first: object | null = null;
  const lab = tampered(findLab('parameter-server'), {
    result: (op, result, endpoint) => {
      if (op !== 'readMemory' || endpoint !== 'worker-1' || !('base64' in result)) return result;
      first ??= result;
      return first as typeof result;
    },
  });
  expect(failedChecks(await finishLab(lab, { params: { steps: 3, workers: 2 } }))).toContain('lockstep');
});
