import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { setup } from '../../apps/agent/bundle.mjs';

const bundle = resolve(import.meta.dirname, '../../apps/agent/dist/bundle');

/** Every file of the bundle with what changes when it is written or replaced. */
const files = () =>
  readdirSync(bundle, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, stat: statSync(join(bundle, name)) }))
    .filter(({ stat }) => stat.isFile())
    .map(({ name, stat }) => `${name} ${stat.ino} ${stat.mtimeMs}`)
    .sort();

describe('bundling again', () => {
  it('touches nothing that is right: processes of other tests run from it', async () => {
    const before = files();
    expect(before.length).toBeGreaterThan(5);
    await setup();
    expect(files()).toEqual(before);
  });

  it('replaces what is wrong and removes what is left over', async () => {
    const map = join(bundle, 'cli/open-files.js.map');
    const right = readFileSync(map);
    const left = join(bundle, 'chunks/left-over.js');
    writeFileSync(map, 'wrong');
    writeFileSync(left, '');
    await setup();
    expect(readFileSync(map)).toEqual(right);
    expect(existsSync(left)).toBe(false);
  });
});
