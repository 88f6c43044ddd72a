/** Each mode without one privilege that it needs. */
import { AppError, WASM_PAGE_BYTES, type Access } from '@verbslab/protocol';
import { attempt, postRecv, send, write, type Pair } from '../failures/bench.js';
import { closeBench, openBench } from '../failures/open.js';
import { statusText } from '../failures/evidence.js';
import { intend } from '../endpoints/intend.js';
import { IMAGE, loadOf, placeImage } from '../lambda/endpoints.js';
import { REM_ACCESS_ERR, REM_OP_ERR } from '../endpoints/wc-statuses.js';
import { FUNCTION, MODES, type Context, type Mode } from './modes.js';

interface Trial {
  mode: Mode['id'];
  /** Right that is missing. The mode has the others that it needs, and no more. */
  without: { right: Access; at: 'client' | 'server' };
  /** End that posts the request that fails; `status`: the status of that request. */
  by: 'client' | 'server';
  status: number;
}

const TRIALS: readonly Trial[] = [
  {
    mode: 'send',
    without: { right: 'LOCAL_WRITE', at: 'server' },
    by: 'client',
    status: REM_OP_ERR,
  },
  {
    mode: 'write',
    without: { right: 'REMOTE_WRITE', at: 'server' },
    by: 'client',
    status: REM_ACCESS_ERR,
  },
  {
    mode: 'read',
    without: { right: 'REMOTE_READ', at: 'server' },
    by: 'client',
    status: REM_ACCESS_ERR,
  },
  {
    mode: 'run',
    without: { right: 'REMOTE_WRITE', at: 'client' },
    by: 'server',
    status: REM_ACCESS_ERR,
  },
];

const modeOf = (id: Mode['id']): Mode => MODES.find((one) => one.id === id)!;
const titleOf = (id: Mode['id']): string => modeOf(id).title;

/** Rights of the region of an end in a trial. */
export function rightsIn(mode: Mode, { right, at }: Trial['without'], name: 'client' | 'server'): Access[] {
  const all: readonly Access[] = mode.rights[name];
  return all.filter((one) => name !== at || one !== right);
}
const other = (name: 'client' | 'server') => (name === 'client' ? 'server' : 'client');

/** The request of the mode that meets the missing right. */
function requestOf(mode: Mode['id'], pair: Pair) {
  if (mode === 'send') return send(pair);
  if (mode === 'read') return { ...write(pair), opcode: 'RDMA_READ' as const };
  // Remote execution fails when the result comes back.
  return write(mode === 'run' ? { client: pair.server, server: pair.client } : pair);
}

/** Answer of a server to a function of a signer that it does not trust. */
async function untrusted({ client, server }: Pair): Promise<string> {
  const { image, imageBytes } = await placeImage(client, FUNCTION.module);
  await server.endpoint.call('writeMemory', { mr: server.mr.mr, offset: IMAGE, base64: image });
  const load = loadOf(server, imageBytes, { publicKey: '', memoryBytes: WASM_PAGE_BYTES });
  try {
    await server.endpoint.call('lambda.load', { ...load, trusted: [] });
    return 'it ran';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code;
  }
}

/** Returns true if each was refused. */
export async function tryPrivileges(ctx: Context): Promise<boolean> {
  const { bench, tapped } = await openBench(ctx);
  const faults: string[] = [];
  const row = (mode: Mode['id'], without: string, seen: string, wanted: string): void => {
    ctx.row('privileges', { mode: titleOf(mode), without, seen });
    if (seen !== wanted) faults.push(`${titleOf(mode)} without ${without}: ${seen}.`);
  };
  for (const { mode, without, by, status } of TRIALS) {
    const settings = (name: 'client' | 'server') => ({ rights: rightsIn(modeOf(mode), without, name) });
    const pair = await bench.pair(settings('client'), settings('server'));
    if (mode === 'send') await postRecv(pair);
    intend(
      ctx,
      { role: by, most: 1, statuses: [status] },
      { role: other(by), most: 1, events: [status === REM_OP_ERR ? 'QP_FATAL' : 'QP_ACCESS_ERR'] },
    );
    const seen = await attempt(pair[by], requestOf(mode, pair));
    row(mode, `${without.right} at the ${without.at}`, statusText(seen.status), statusText(status));
    await bench.clear();
  }
  const pair = await bench.pair();
  row('run', 'trust in the signer at the server', await untrusted(pair), 'LAMBDA_UNKNOWN_SIGNER');
  await bench.clear();
  await closeBench(bench, tapped);
  ctx.check(
    'refused',
    faults.length === 0,
    faults.join(' ') ||
      `Each of ${TRIALS.length + 1} tries without a privilege that its mode needs was refused.`,
  );
  return faults.length === 0;
}
