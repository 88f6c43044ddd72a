import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUNDLE, bundleInto, setup } from '../../apps/agent/bundle.mjs';

/** Every file of the bundle with what changes when it is written or replaced. */
const files = () =>
  readdirSync(BUNDLE, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, stat: statSync(join(BUNDLE, name)) }))
    .filter(({ stat }) => stat.isFile())
    .map(({ name, stat }) => `${name} ${stat.ino} ${stat.mtimeMs}`)
    .sort();

/** A bundle of its own for the faults, since other tests run from the usual one. */
const home = mkdtempSync(join(tmpdir(), 'verbslab-bundle-'));
const own = join(home, 'bundle');
beforeAll(() => bundleInto(own));
afterAll(() => rmSync(home, { recursive: true }));

describe('bundling again', () => {
  it('touches nothing that is right: processes of other tests run from it', async () => {
    const before = files();
    expect(before.length).toBeGreaterThan(5);
    await setup();
    expect(files()).toEqual(before);
  });

  it('replaces what is wrong and removes what is left over', async () => {
    const program = join(own, 'cli/open-files.cjs');
    const right = readFileSync(program);
    const left = join(own, 'cli/left-over.cjs');
    writeFileSync(program, 'wrong');
    writeFileSync(left, '');
    await bundleInto(own);
    expect(readFileSync(program)).toEqual(right);
    expect(existsSync(left)).toBe(false);
  });

  it('runs where the compiled form is wrong or missing', async () => {
    const folder = join(own, 'cli');
    const path = join(
      folder,
      readdirSync(folder).find((name) => name.startsWith('open-files-') && name.endsWith('.cache'))!,
    );
    const right = readFileSync(path);
    // A process of its own: V8 remembers what this one has compiled.
    const exported = () =>
      execFileSync(process.execPath, ['-p', `Object.keys(require('${folder}/open-files.cjs'))`], {
        encoding: 'utf8',
      }).trim();
    // The first bytes stand for another release of V8.
    const other = Buffer.concat([Buffer.from('other'), right.subarray(5)]);
    for (const contents of [other, Buffer.from('wrong'), Buffer.alloc(0)]) {
      writeFileSync(path, contents);
      expect(exported()).toBe("[ 'mayOpenFiles' ]");
    }
    rmSync(path);
    expect(exported()).toBe("[ 'mayOpenFiles' ]");
    await bundleInto(own);
    expect(existsSync(path)).toBe(true);
    expect(exported()).toBe("[ 'mayOpenFiles' ]");
  });
});
