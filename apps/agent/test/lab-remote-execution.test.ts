import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findLab } from '@verbslab/labs';
import { LAMBDA_MODULE_BYTES } from '@verbslab/protocol';
import { afterAll, describe, expect, it } from 'vitest';
import { importing } from '../../../packages/labs/src/lambda/hostile.js';
import { FUNCTIONS } from '../../../packages/labs/src/lambda/functions.js';
import { Recording, startLab } from './endpoint-harness.js';

const folder = mkdtempSync(join(tmpdir(), 'verbslab-module-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

async function withModule(path: string | undefined) {
  const run = await startLab(findLab('remote-execution'), {
    params: { function: 'own', largest: 32_768, rounds: 1, repeat: 1, timeLimit: 10 },
    env: path === undefined ? {} : { VERBSLAB_MODULE: path },
  });
  try {
    await run.finished;
    return run.checks.filter(({ ok }) => !ok);
  } finally {
    await run.close();
  }
}

describe('a module of one’s own', () => {
  it('is shipped like those of the lab', async () => {
    expect(await withModule(file('sum.wasm', FUNCTIONS[0].module))).toEqual([]);
  });

  it('is refused for the same reasons', async () => {
    await expect(withModule(file('bad.wasm', importing('system')))).rejects.toMatchObject({
      code: 'LAMBDA_IMPORTS',
    });
  });

  it('has to be named by the owner of the agent', async () => {
    await expect(withModule(undefined)).rejects.toThrow(/no module of yours/);
  });

  it('has to be a file of a module’s size', async () => {
    const own = async (path: string) => {
      const endpoint = await new Recording().spawn('client', { env: { VERBSLAB_MODULE: path } });
      try {
        return await endpoint.call('lambda.own', {});
      } finally {
        await endpoint.close(2000);
      }
    };
    await expect(own(join(folder, 'none.wasm'))).rejects.toThrow(/none\.wasm.*ENOENT/);
    await expect(own(file('large.wasm', new Uint8Array(LAMBDA_MODULE_BYTES + 1)))).rejects.toMatchObject({
      code: 'LIMIT',
    });
  });
});
