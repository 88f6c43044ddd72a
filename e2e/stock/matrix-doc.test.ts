import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withMatrix } from './matrix-doc.js';

it('docs/device.md lists what the test runs (UPDATE_DOCS=1 rewrites it)', () => {
  const file = join(import.meta.dirname, '../../docs/device.md');
  const text = readFileSync(file, 'utf8');
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, withMatrix(text));
  else expect(text).toBe(withMatrix(text));
});
