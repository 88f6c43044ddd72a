/** A passive target that has lost registered memory lives on, and its peer learns that the request failed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { able, Programs } from './compile.js';
import { start } from './run.js';

describe.skipIf(!able)('a target whose registered memory is gone', () => {
  const programs = new Programs();
  let gone = '';
  beforeAll(() => {
    gone = programs.compile('gone');
  });
  afterAll(() => {
    programs.remove();
  });

  const cases = ['auto', 'udp'].flatMap((link) =>
    ['write', 'read'].flatMap((request) =>
      ['unmapped', 'freed', 'truncated', 'protected'].map((loss) => ({ link, request, loss })),
    ),
  );

  it.each(cases)('$loss, a $request over $link', async ({ link, request, loss }) => {
    const env = { UROCE_LINK: link, UROCE_REPORT: 'text' };
    const { code, output } = await start(gone, [request, loss], { env }).finished;
    expect(code, output).toBe(0);
    expect(output).toMatch(/^remote operation error$/m);
    expect(output).toMatch(/^target: status 0$/m);
    expect(output).toContain('the memory of this region is gone: MR 0x');
    expect(output).toContain('completed with REM_OP_ERR');
  });
});
