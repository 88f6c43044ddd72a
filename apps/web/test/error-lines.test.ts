// Lines of a program in the messages of compilers, of Node and of the checker.
import { describe, expect, it } from 'vitest';
import { errorLines, pointLines, thrownLine } from '../src/workbench/error-lines';

const error = (message: string, detail?: string) => ({
  code: 'COMPILE_FAILED',
  message,
  cure: '',
  ...(detail === undefined ? {} : { detail }),
});

describe('lines of a program that its run points to', () => {
  it('finds those of both compilers, and leaves out what is about other files', () => {
    expect(
      errorLines(
        error(
          '',
          'main.c:3:7: error: unknown type name ‘foo’\n/usr/include/x.h:9:1: note: here\nmain.c:12:1: warning: unused',
        ),
        'c',
      ),
    ).toEqual([
      { line: 3, text: 'unknown type name ‘foo’' },
      { line: 12, text: 'unused' },
    ]);
    expect(errorLines(error('', 'main.ts:2:5: error: Cannot find name ‘x’. (TS2304)'), 'typescript')).toEqual(
      [{ line: 2, text: 'Cannot find name ‘x’. (TS2304)' }],
    );
    expect(errorLines(error('', 'main.ts(4,1): error TS1005: ; expected.'), 'typescript')).toEqual([
      { line: 4, text: '; expected.' },
    ]);
  });

  it('takes the line from the message where there are no others', () => {
    const message = 'Line 7 uses “fetch”, which programs of the workbench may not.';
    expect(errorLines(error(message), 'typescript')).toEqual([{ line: 7, text: message }]);
    expect(errorLines(error('The program was stopped after 10 s.'), 'c')).toEqual([]);
    expect(errorLines(null, 'c')).toEqual([]);
  });

  it('finds where an error was thrown that nothing caught', () => {
    const printed = [
      'file:///tmp/program/main.ts:12',
      '  qp.connect(peer);',
      'VerbsError: ibv_modify_qp failed: EINVAL',
      '    at Qp.modify (file:///packages/verbs/dist/qp.js:80:5)',
      '    at main (/tmp/program/main.ts:14:6)',
    ].join('\n');
    expect(thrownLine(printed, 'typescript')).toEqual([
      { line: 14, text: 'VerbsError: ibv_modify_qp failed: EINVAL' },
    ]);
    expect(thrownLine('Hello, RDMA\n', 'typescript')).toEqual([]);
  });

  it('takes points that did not pass, of the program only', () => {
    const point = { id: 'a', ok: false, detail: 'why' };
    expect(
      pointLines(
        [
          { ...point, at: { file: 'main.c', line: 9 } },
          { ...point, at: { file: '/tmp/p/main.c', line: 10 } },
          { ...point, at: { file: 'verbs.h', line: 11 } },
          { ...point, ok: true, at: { file: 'main.c', line: 12 } },
          point,
        ],
        'c',
      ),
    ).toEqual([
      { line: 9, text: 'why' },
      { line: 10, text: 'why' },
    ]);
  });
});
