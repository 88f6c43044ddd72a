import { describe, expect, it } from 'vitest';
import { findingText, placeText, whyNoLines, type CallPlace } from '../src/index.js';

const place: CallPlace = {
  function: 'main',
  object: '/home/me/bad',
  offset: '0x158c',
  file: '/home/me/bad.c',
  line: 25,
};
const finding = {
  id: 'object-leaked',
  call: 'ibv_open_device',
  object: 'context #1',
  count: 1,
  detail: 'was never destroyed',
  where: 'main, bad.c:25',
  cure: 'Call ibv_close_device before exit.',
};

describe('the words for misuse', () => {
  it('says what was leaked, and who made it', () => {
    expect(findingText(finding)).toBe('Leaked context #1 (opened by main, bad.c:25).');
    expect(findingText({ ...finding, call: 'ibv_reg_mr', object: 'MR 0x0e211909', count: 3 })).toBe(
      'Leaked MR 0x0e211909 and 2 more (registered by main, bad.c:25).',
    );
    expect(findingText({ ...finding, where: null })).toBe('Leaked context #1.');
  });

  it('says which call was wrong, or where the object of it came from', () => {
    const posted = {
      ...finding,
      id: 'post-wrong-state',
      call: 'ibv_post_send',
      object: 'QP 0x000011',
      count: 2,
    };
    expect(findingText({ ...posted, detail: 'the QP was in state RESET' })).toBe(
      'ibv_post_send on QP 0x000011, called by main, bad.c:25, 2 times: the QP was in state RESET.',
    );
    const overrun = { ...finding, id: 'cq-overrun', call: 'ibv_poll_cq', object: 'CQ #1', detail: 'full' };
    expect(findingText(overrun)).toBe('ibv_poll_cq on CQ #1: full. It was created by main, bad.c:25.');
    const gone = {
      ...finding,
      id: 'memory-gone',
      call: 'ibv_reg_mr',
      object: 'MR 0x00000012',
      detail: 'wr_id 7: the memory of this region is gone',
    };
    expect(findingText(gone)).toBe(
      'ibv_reg_mr on MR 0x00000012: wr_id 7: the memory of this region is gone. It was registered by main, bad.c:25.',
    );
  });

  it('says of a request what became of it, and where the thing to change stands', () => {
    const failed = {
      ...finding,
      id: 'request-failed',
      detail: 'wr_id 19, SEND of 8 bytes, completed with X',
    };
    expect(findingText(failed)).toBe(
      'wr_id 19, SEND of 8 bytes, completed with X. It was posted by main, bad.c:25.',
    );
    const refused = { ...finding, id: 'request-refused', detail: 'QP 0x000012 refused it: too long' };
    expect(findingText({ ...refused, object: 'MR 0x0e211909' })).toBe(
      'QP 0x000012 refused it: too long. MR 0x0e211909 was registered by main, bad.c:25.',
    );
    expect(findingText({ ...refused, object: 'QP 0x000012' })).toBe('QP 0x000012 refused it: too long.');
  });

  it('names a place by its line, or by its offset, and says why', () => {
    expect(placeText(place)).toBe('main, bad.c:25');
    expect(whyNoLines([place, null])).toBeNull();
    const bare: CallPlace = { ...place, function: null, file: null, line: null, missing: 'debug-info' };
    expect(placeText(bare)).toBe('bad+0x158c');
    expect(whyNoLines([place, bare])).toMatch(/bad has no debug information.* -g/);
    expect(whyNoLines([{ ...bare, missing: 'tool' }])).toMatch(/addr2line nor llvm-symbolizer is installed/);
    expect(whyNoLines([{ ...bare, missing: 'file' }])).toMatch(/bad could not be read/);
  });
});
