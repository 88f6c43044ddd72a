/** Source lines of calls in real programs: position-independent, linked to an address, shared, with and without -g. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeText } from '@verbslab/protocol';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { firstExecutable, onPath } from '../src/config/executable.js';
import { linkedAt } from '../src/program/elf.js';
import { locate } from '../src/program/source-lines.js';

const installed = (tool: string): boolean => firstExecutable(onPath(tool)) !== null;
const tools = ['addr2line', 'llvm-symbolizer'].filter(installed);
const able = installed('cc') && installed('nm') && tools.length > 0;

/** `call_here` begins at line 3. */
const SOURCE =
  'static int used;\n\nint call_here(void) {\n  return ++used;\n}\nint main(void) { return call_here(); }\n';

const folder = mkdtempSync(join(tmpdir(), 'verbslab-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(() => writeFileSync(join(folder, 'bad.c'), SOURCE));

/** A program, and the offset of `call_here` after where it is loaded. */
function compile(name: string, flags: string[]): { object: string; offset: string } {
  const object = join(folder, name);
  const done = spawnSync('cc', ['-O0', ...flags, '-o', object, join(folder, 'bad.c')], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stderr);
  const symbols = spawnSync('nm', [object], { encoding: 'utf8' }).stdout;
  const address = BigInt(`0x${/^([0-9a-f]+) T call_here$/m.exec(symbols)![1]!}`);
  return { object, offset: `0x${(address - linkedAt(object)!).toString(16)}` };
}

describe.skipIf(!able)('the source line of a call', () => {
  it.each([
    ['a position-independent program', 'pie', ['-g', '-pie', '-fPIE']],
    ['a program linked to an address', 'fixed', ['-g', '-no-pie', '-fno-pie']],
    ['a shared object', 'lib.so', ['-g', '-shared', '-fPIC']],
  ])('is found in %s', async (_, name, flags) => {
    const place = { function: null, ...compile(name, flags) };
    for (const tool of tools) {
      const only = mkdtempSync(join(folder, 'path-'));
      symlinkSync(firstExecutable(onPath(tool))!, join(only, tool));
      vi.stubEnv('PATH', only);
      const [found] = await locate([place]);
      vi.unstubAllEnvs();
      expect(found).toMatchObject({ function: 'call_here', line: 3 });
      expect(placeText(found!)).toBe('call_here, bad.c:3');
    }
  });

  it('is missing without -g, and the reason is given', async () => {
    const place = { function: null, ...compile('plain', ['-g0']) };
    const [found] = await locate([place]);
    expect(found).toMatchObject({ function: 'call_here', file: null, line: null, missing: 'debug-info' });
    expect(placeText(found!)).toBe(`call_here, plain+${place.offset}`);
  });

  it('is missing where no tool is installed', async () => {
    vi.stubEnv('PATH', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await locate([{ function: 'main', object: join(folder, 'bad.c'), offset: '0x1' }])).toMatchObject([
      { function: 'main', line: null, missing: 'tool' },
    ]);
  });

  it('is not looked for in files that are not programs, and others are still found', async () => {
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    const names = [
      '--help',
      'relative',
      '/dev/zero',
      join(folder, 'pipe'),
      join(folder, 'bad.c'),
      '/nowhere',
      folder,
    ];
    const wrong = names.map((object) => ({ function: null, object, offset: '0x10' }));
    const right = { function: null, ...compile('again', ['-g']) };
    const found = await locate([...wrong, right]);
    expect(found.slice(0, -1).map(({ missing }) => missing)).toEqual(wrong.map(() => 'file'));
    expect(found.at(-1)).toMatchObject({ line: 3 });
  });
});
