import { describe, expect, it } from 'vitest';
import { differing, imports } from '../lib/passed.mjs';
import { selection } from '../lib/selection.mjs';

const IMPORTS = {
  'packages/protocol': [],
  'packages/roce': [],
  'packages/labs': ['packages/protocol', 'packages/roce'],
  'apps/web': ['packages/labs'],
  'apps/agent': ['packages/labs', 'packages/protocol'],
};
const of = (stage: string, changed: string[] | null) => selection(stage, changed, IMPORTS);

describe('what runs after a change', () => {
  it('is all of a stage that never passed', () => {
    for (const stage of ['lint', 'native', 'typescript', 'browser'])
      expect(of(stage, null)).toEqual({ run: true });
  });

  it('is nothing of a stage whose files are as they were, and says how to run it', () => {
    for (const stage of ['native', 'sanitized', 'fuzz']) {
      expect(of(stage, ['packages/protocol/src/frames.ts'])).toMatchObject({ run: false });
      expect(of(stage, [])).toMatchObject({ run: false });
      expect(of(stage, []).left).toContain(`npm test -- ${stage}`);
      expect(of(stage, ['native/uroce/types.h'])).toEqual({ run: true });
    }
    expect(of('lint', [])).toMatchObject({ run: false });
    expect(of('lint', ['README.md'])).toEqual({ run: true });
    expect(of('typescript', ['README.md'])).toMatchObject({ run: false });
  });

  it('is, of the TypeScript tests, those of the workspaces that changed and of those that import them', () => {
    expect(of('typescript', ['apps/web/src/page.tsx']).filters).toEqual(['apps/web']);
    expect(of('typescript', ['apps/agent/src/agent.ts']).filters).toEqual(['apps/agent']);
    const roce = of('typescript', ['packages/roce/src/index.ts']);
    expect(roce.filters).toEqual(['apps/web', 'packages/labs', 'packages/roce']);
    expect(roce.left).toContain('those of apps/agent, which imports what has changed');
    expect(of('models', ['apps/web/src/page.tsx'])).toMatchObject({
      filters: ['apps/web'],
      left: expect.stringContaining('npm test -- models') as string,
    });
  });

  it('is all TypeScript tests where what changed belongs to no workspace', () => {
    for (const path of ['native/index.cjs', 'scripts/lib/say.mjs', 'vitest.config.ts', 'package-lock.json'])
      expect(of('typescript', ['apps/web/src/page.tsx', path])).toEqual({ run: true });
  });

  it('runs the programs of the labs when one of them changed', () => {
    for (const path of ['packages/labs/code/common.h', 'packages/labs/src/inline/code/main.c'])
      expect(of('stock', [path])).toEqual({ run: true });
    expect(of('browser', ['packages/labs/src/inline/code/main.c'])).toMatchObject({ run: false });
  });

  it('leaves out what takes minutes, unless its own tests or the device changed', () => {
    for (const stage of ['stock', 'browser']) {
      expect(of(stage, ['packages/labs/src/index.ts'])).toMatchObject({ run: false });
      expect(of(stage, ['packages/labs/src/index.ts']).left).toContain(`npm test -- ${stage}`);
      expect(of(stage, ['native/uroce/types.h'])).toEqual({ run: true });
    }
    expect(of('browser', ['e2e/browser/runs.spec.ts'])).toEqual({ run: true });
    expect(of('stock', ['e2e/browser/runs.spec.ts'])).toMatchObject({ run: false });
  });
});

describe('what has changed', () => {
  it('is what is new, gone or different', () => {
    expect(differing({ a: '1', b: '2', c: '3' }, { b: '2', c: '4', d: '5' })).toEqual(['a', 'c', 'd']);
  });

  it('reaches the workspaces that this checkout says', () => {
    const here = imports() as Record<string, string[]>;
    expect(here['apps/web']).toContain('packages/labs');
    expect(here['packages/roce']).toEqual([]);
  });
});
