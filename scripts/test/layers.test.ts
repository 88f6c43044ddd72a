// The check of layers, on a copy of the checkout: it passes as it is, and fails on what must not be.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../lib/exec.mjs';
import { sources } from '../lib/graph.mjs';

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'verbslab-layers-'));
  for (const file of sources('scripts', 'packages', 'apps', 'e2e/audit', 'native', 'docs', '.oxfmtrc.json'))
    if (/\.(tsx?|mjs|cc?|h|md|oxfmtrc\.json)$/.test(file)) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  execFileSync('git', ['init', '-q'], { cwd: copy });
});

afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

/** The result of the check with these files added. */
function check(files: Record<string, string> = {}) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), text);
  }
  const { status, stderr } = spawnSync('node', ['scripts/layers.mjs', '--check'], {
    cwd: copy,
    encoding: 'utf8',
  });
  for (const file of Object.keys(files)) rmSync(join(copy, file));
  return { status, stderr };
}

describe('the check of layers', () => {
  it('passes as the tree is', () => {
    expect(check()).toMatchObject({ status: 0 });
  });

  const planted: [name: string, files: Record<string, string>, said: string][] = [
    [
      'an import that runs up',
      { 'packages/roce/src/base/up.ts': "import { filter } from '../filter/index.js';\n" },
      'base may not know filter',
    ],
    [
      'an import of a type that runs up',
      { 'packages/roce/src/headers/type.ts': "import type { Diagnosis } from '../diagnosis/types.js';\n" },
      'headers may not know diagnosis',
    ],
    [
      'an import over several lines',
      { 'packages/roce/src/base/lines.ts': "export {\n  a,\n  b,\n} from '../models/psn.js';\n" },
      'base may not know models',
    ],
    [
      'a file of more than 400 lines',
      { 'packages/roce/src/base/long.ts': '// A line.\n'.repeat(401) },
      'packages/roce/src/base/long.ts has 401 lines (limit 400)',
    ],
    [
      'a knot of two folders of one layer',
      {
        'packages/roce/src/capture/knot.ts': "import '../headers/knot.js';\n",
        'packages/roce/src/headers/knot.ts': "import '../capture/knot.js';\n",
      },
      'capture may not know headers',
    ],
    [
      'a knot of two folders below a layer',
      {
        'apps/web/src/parts/charts/knot.ts': "import '../timeline/knot';\n",
        'apps/web/src/parts/timeline/knot.ts': "import '../charts/knot';\n",
      },
      'apps/web/src/parts: its folders know each other in a circle: charts > timeline > charts',
    ],
    [
      'a folder that is in no layer',
      { 'packages/roce/src/planted/a.ts': "import '../base/bytes.js';\n" },
      'is in no layer: add planted',
    ],
    [
      'a package that is above',
      { 'packages/protocol/src/planted.ts': "import type { Lab } from '@verbslab/labs';\n" },
      'packages/protocol may not know it',
    ],
    [
      'a file of another package',
      { 'packages/report/src/content/planted.ts': "import '../../../roce/src/index.js';\n" },
      'name packages/roce as a package',
    ],
    [
      'code in a road of the audit',
      { 'e2e/audit/roads/planted.ts': "import { percentiles } from '@verbslab/protocol';\n" },
      'a road may import types alone',
    ],
    [
      'an include that runs up',
      { 'native/uroce/wire/planted.h': '#include "uroce/verbs/device/device.h"\n' },
      'may not know uroce/verbs',
    ],
  ];
  // All in one run of the check, which takes a second or two.
  const all = () => check(Object.assign({}, ...planted.map(([, files]) => files)) as Record<string, string>);
  let once: ReturnType<typeof check> | undefined;

  it.each(planted)('fails on %s', (_name, _files, said) => {
    once ??= all();
    expect(once.stderr).toContain(said);
    expect(once.status).toBe(1);
  });
});
