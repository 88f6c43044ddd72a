import { RC } from '@verbslab/roce';
import { describe, expect, it } from 'vitest';
import { READ_RESPONSE } from '../src/wire/messages.js';
import { signaledIds } from '../src/write-read/batch.js';
import { expectedOpcodes, packetsOf } from '../src/wire/segments.js';

describe('a message', () => {
  it('is cut at the path MTU', () => {
    expect(expectedOpcodes(1000, 1024, READ_RESPONSE)).toEqual([RC.readResponseOnly]);
    expect(expectedOpcodes(1025, 1024, READ_RESPONSE)).toEqual([RC.readResponseFirst, RC.readResponseLast]);
    expect(expectedOpcodes(4096, 1024, READ_RESPONSE)).toEqual([
      RC.readResponseFirst,
      RC.readResponseMiddle,
      RC.readResponseMiddle,
      RC.readResponseLast,
    ]);
    expect([0, 1, 1024, 1025].map((size) => packetsOf(size, 1024))).toEqual([1, 1, 1, 2]);
  });
});

describe('signaled requests', () => {
  it('are each n-th and the last', () => {
    expect(signaledIds(16, 4)).toEqual([4, 8, 12, 16]);
    expect(signaledIds(5, 4)).toEqual([4, 5]);
    expect(signaledIds(3, 1)).toEqual([1, 2, 3]);
  });
});
