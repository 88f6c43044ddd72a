import { describe, expect, it } from 'vitest';
import { agentModules, nearestTests } from '../lib/nearest.mjs';
import { differing, imports } from '../lib/passed.mjs';
import { selection } from '../lib/selection.mjs';

const IMPORTS = {
  'packages/protocol': [],
  'packages/roce': [],
  'packages/labs': ['packages/protocol', 'packages/roce'],
  'apps/web': ['packages/labs'],
  'apps/agent': ['packages/labs', 'packages/protocol'],
};
const nearest = (changed: string[]) => ({ near: changed.map((path) => `near ${path}`), rest: ['far'] });
const of = (stage: string, changed: string[] | null) => selection(stage, changed, IMPORTS, nearest);

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
    expect(of('native', ['packages/roce/src/diagnosis/runs.ts'])).toEqual({ run: true });
    expect(of('lint', [])).toMatchObject({ run: false });
    expect(of('lint', ['README.md'])).toEqual({ run: true });
    expect(of('typescript', ['README.md'])).toMatchObject({ run: false });
  });

  it('is, of the TypeScript tests, those of the workspaces that changed and of those that import them', () => {
    expect(of('typescript', ['apps/web/src/page.tsx']).filters).toEqual(['apps/web/test/']);
    const agent = of('typescript', ['apps/agent/src/agent.ts']);
    expect(agent.filters).toEqual(['near apps/agent/src/agent.ts']);
    expect(agent.left).toContain('the nearest 1 files of apps/agent (1 more reach');
    const roce = of('typescript', ['packages/roce/src/index.ts']);
    expect(roce.filters).toEqual(['apps/web/test/', 'packages/labs/test/', 'packages/roce/test/']);
    expect(roce.left).toContain('those of apps/agent, which imports what has changed');
    expect(of('models', ['apps/agent/src/agent.ts'])).toMatchObject({ run: false });
    expect(of('models', ['apps/web/src/page.tsx'])).toMatchObject({
      filters: ['apps/web/test/'],
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

describe('the nearest tests', () => {
  const test = (name: string): string => `apps/agent/test/${name}.test.ts`;
  const modules = new Map([
    [test('other'), ['apps/agent/src/app.ts']],
    [test('near'), ['apps/agent/src/runs/run.ts']],
    [test('runs'), ['apps/agent/src/app.ts']],
    [test('apart'), []],
    ['apps/agent/src/app.ts', ['apps/agent/src/runs/run.ts']],
    ['apps/agent/src/runs/run.ts', []],
  ]);
  const of = (changed: string[], budget: number, seconds: Record<string, number> = {}) =>
    nearestTests(changed, seconds, budget, modules);

  it('are those that reach the change: of its name first, then over the fewest imports', () => {
    const run = ['apps/agent/src/runs/run.ts'];
    expect(of(run, 60)).toEqual({ near: [test('runs'), test('near'), test('other')], rest: [] });
    expect(of(run, 10)).toEqual({ near: [test('runs'), test('near')], rest: [test('other')] });
    expect(of(run, 10, { [test('runs')]: 11 })).toEqual({
      near: [test('near'), test('other')],
      rest: [test('runs')],
    });
  });

  it('have each test that has changed itself', () => {
    expect(of([test('apart')], 0)).toEqual({ near: [test('apart')], rest: [] });
  });

  it('of this checkout know imports, programs that are started, and the command', () => {
    const here = agentModules();
    expect(here.get('apps/agent/src/endpoint/spawn.ts')).toContain('apps/agent/src/endpoint/child.ts');
    const ofProgram = nearestTests(['apps/agent/test/helpers/peer-agent.ts'], {}, 60, here);
    expect(ofProgram.near).toContain(test('peers'));
    expect(ofProgram.rest).toEqual([]);
    const { near, rest } = nearestTests(['apps/agent/src/endpoint/serve.ts'], {}, 60, here);
    expect(near.slice(0, 5).every((path) => path.includes('/endpoint-'))).toBe(true);
    expect(near.length).toBe(12);
    expect(rest.length).toBeGreaterThan(12);
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
