import { describe, expect, it } from 'vitest';
import { inLanes } from '../lib/lanes.mjs';

/** Runs the lanes with stages that end when told; `log` has what began. */
function watched(names: string[], beside: { stages: string[]; when?: string }[]) {
  const log: string[] = [];
  const enders = new Map<string, () => void>();
  const all = inLanes(names, beside, (name: string) => {
    log.push(name);
    return new Promise<void>((resolve) => enders.set(name, resolve));
  });
  const end = async (name: string) => {
    enders.get(name)?.();
    await new Promise((resume) => setImmediate(resume));
  };
  return { log, end, all };
}

describe('stages in lanes', () => {
  it('begin with the first of every lane, and follow each other within one', async () => {
    const { log, end, all } = watched(
      ['lint', 'native', 'fuzz', 'stock', 'vm'],
      [{ stages: ['vm'] }, { stages: ['lint', 'fuzz'] }],
    );
    expect(log).toEqual(['native', 'vm', 'lint']);
    await end('native');
    expect(log).toEqual(['native', 'vm', 'lint', 'stock']);
    await end('lint');
    expect(log.at(-1)).toBe('fuzz');
    for (const name of ['vm', 'stock', 'fuzz']) await end(name);
    await all;
    expect(log.length).toBe(5);
  });

  it('keep the order of the command line where none runs beside others', async () => {
    const { log, end, all } = watched(['stock', 'native'], [{ stages: ['vm'] }]);
    await end('stock');
    await end('native');
    await all;
    expect(log).toEqual(['stock', 'native']);
  });

  it('begin with a stage of the first lane', async () => {
    const { log, end, all } = watched(
      ['fuzz', 'native', 'models', 'vm', 'browser'],
      [{ stages: ['fuzz', 'models'], when: 'vm' }],
    );
    expect(log).toEqual(['native']);
    await end('native');
    expect(log.slice(1).sort()).toEqual(['fuzz', 'vm']);
    await end('vm');
    expect(log.at(-1)).toBe('browser');
    await end('fuzz');
    expect(log.at(-1)).toBe('models');
    for (const name of ['browser', 'models']) await end(name);
    await all;
  });

  it('belong to the first lane where that stage is not run', async () => {
    const { log, end, all } = watched(['fuzz', 'native'], [{ stages: ['fuzz'], when: 'vm' }]);
    expect(log).toEqual(['fuzz']);
    await end('fuzz');
    await end('native');
    await all;
    expect(log).toEqual(['fuzz', 'native']);
  });

  it('end with the failure of any', async () => {
    const fails = (name: string) =>
      name === 'vm' ? Promise.reject(new Error('no QEMU')) : Promise.resolve();
    await expect(inLanes(['native', 'vm'], [{ stages: ['vm'] }], fails)).rejects.toThrow('no QEMU');
  });
});
