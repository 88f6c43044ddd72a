import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Context, CqOptions, Qp, QpOptions } from '../src/index.js';
import { openDevice } from '../src/index.js';

// Address for these tests only: tests that run at the same time as another user may hold the default one.
process.env['UROCE_ADDR'] ??= '127.0.0.21';

export const DEVICE = 'uroce0';

/** Two connected QPs of one context, each with its own CQ and memory. */
export function pair(
  options: Partial<QpOptions> & { cq?: CqOptions; memory?: number } = {},
  beforeConnect: (ctx: Context, qp: Qp) => void = () => undefined,
) {
  const { cq = { depth: 256 }, memory = 65_536, ...qp } = options;
  const ctx = openDevice(DEVICE);
  const pd = ctx.allocPd();
  const side = () => {
    const own = ctx.createCq(cq);
    return { cq: own, qp: pd.createQp({ sendCq: own, ...qp }), mr: pd.regMr(memory) };
  };
  const a = side();
  const b = side();
  for (const { qp } of [a, b]) beforeConnect(ctx, qp);
  join(a.qp, b.qp);
  return {
    ctx,
    pd,
    a,
    b,
    [Symbol.dispose]: () => {
      ctx.closeAll();
    },
  };
}

export function join(a: Qp, b: Qp): void {
  a.connect(b.info());
  b.connect(a.info());
}

/** Error that `body` throws, as `{code, call, hint, message}`. */
export function thrown(body: () => unknown): {
  code?: string;
  call?: string;
  hint?: string;
  message: string;
} {
  try {
    body();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

const run = promisify(execFile);
const root = fileURLToPath(new URL('../', import.meta.url));

async function node(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  try {
    const options = { cwd: root, env: { ...process.env, ...env }, timeout: 200_000 };
    const { stdout, stderr } = await run(process.execPath, args, options);
    return { code: 0, stdout, stderr };
  } catch (error) {
    const failed = error as { code?: number | string; signal?: string; stdout: string; stderr: string };
    if (failed.signal) throw new Error(`ended by ${failed.signal}: ${failed.stdout}${failed.stderr}`);
    return { code: Number(failed.code), stdout: failed.stdout, stderr: failed.stderr };
  }
}

/** Runs a module in a separate Node process with gc(). The module may import `./src/index.ts`. */
export const inProcess = (source: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  node(['--expose-gc', '--import', 'tsx', '--input-type=module', '--eval', source], env);

/** Runs a TypeScript module in a separate Node process. Packages resolve from this folder. */
export async function inTypeScript(source: string): Promise<Ended> {
  const folder = mkdtempSync(`${root}test/.run-`);
  try {
    const file = `${folder}/program.ts`;
    writeFileSync(file, source);
    return await node(['--import', 'tsx', file], {});
  } finally {
    rmSync(folder, { recursive: true });
  }
}
