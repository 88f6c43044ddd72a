/** Rules about calls: their words, and that the device knows the same calls and error numbers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callRule, FAULT_CALLS, FAULT_ERRORS } from '../src/index.js';

describe('a rule about calls', () => {
  it('is given to the device in its own words, with a seed where it draws', () => {
    expect(callRule('fail:call=ibv_reg_mr,errno=EIO,nth=3,over=2MiB')).toBe(
      'fail:call=ibv_reg_mr,errno=EIO,nth=3,over=2097152',
    );
    expect(callRule('fail:call=ibv_post_send,probability=5%', 9)).toBe(
      'fail:call=ibv_post_send,probability=0.05,seed=9',
    );
    expect(callRule('fail:call=rdma_connect', 9)).toBe('fail:call=rdma_connect');
  });

  it('names calls and error numbers that the device knows, and all of them', () => {
    const device = readFileSync(
      join(import.meta.dirname, '../../../native/uroce/verbs/device/call_faults.cc'),
      'utf8',
    );
    const names = (after: string, pattern: RegExp): string[] => {
      const table = device.slice(device.indexOf(after));
      return [...table.slice(0, table.indexOf('};')).matchAll(pattern)].map(([, name]) => name!).toSorted();
    };
    expect(names('kCalls = {', /"(\w+)"/g)).toEqual(FAULT_CALLS.toSorted());
    expect(names('kErrors[] = {', /"(\w+)"/g)).toEqual(FAULT_ERRORS.toSorted());
  });
});
