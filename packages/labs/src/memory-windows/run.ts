import type { LabContext } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import { refusal, type Bench } from '../failures/bench.js';
import { nakText, statusText } from '../failures/evidence.js';
import { closeBench, openBench } from '../failures/open.js';
import { RC_NAK } from '../failures/syndromes.js';
import type { MemoryWindowsParams } from './params.js';
import { tryRights } from './rights.js';
import { MW_BIND_ERR, REM_ACCESS_ERR } from '../endpoints/wc-statuses.js';
import { ACCESS_EVENT, type Seen } from './try.js';
import { WindowTrial } from './windows.js';
import { NO_PACKETS } from '../wire/packet-watch.js';

type Context = LabContext<MemoryWindowsParams>;

const PAGE = 4096;

function checkRefusals(ctx: Context, seen: readonly Seen[]): void {
  const refused = seen.filter(({ status }) => status === REM_ACCESS_ERR);
  const whole = refused.filter(({ broken, serverEvents }) => broken && serverEvents.includes(ACCESS_EVENT));
  ctx.figure('refused', refused.length);
  ctx.check(
    'both-know',
    refused.length > 0 && whole.length === refused.length,
    `After ${whole.length} of ${refused.length} refusals the client’s QP was in ERR and the server got ${ACCESS_EVENT}.`,
  );
  if (refused.some(({ naks }) => naks === null)) {
    ctx.doesNotApply('nak', NO_PACKETS);
    return;
  }
  const others = refused.filter(({ naks }) => !naks?.includes(RC_NAK.remoteAccess));
  ctx.check(
    'nak',
    refused.length > 0 && others.length === 0,
    others.length === 0
      ? `NAK 0x62 for each of ${plural(refused.length, 'refusal')} with status 10.`
      : `Instead of NAK 0x62: ${others.map(({ naks }) => nakText(naks)).join('; ')}.`,
  );
}

async function tryTraps(ctx: Context, bench: Bench, trial: WindowTrial): Promise<void> {
  const { pd } = await bench.server.call('allocPd', {});
  bench.made(bench.server, 'pd', pd);
  const errno = await refusal(bench.region(bench.server, pd, ['REMOTE_WRITE'], PAGE));
  await bench.clear();
  ctx.check(
    'needs-local-write',
    errno === 'EINVAL',
    `ibv_reg_mr with REMOTE_WRITE alone: ${errno ?? 'it succeeded'}.`,
  );
  const status = await trial.bindWithoutRight();
  ctx.figure('bind-status', status);
  ctx.check('needs-mw-bind', status === MW_BIND_ERR, `The bind without MW_BIND: ${statusText(status)}.`);
}

export async function runMemoryWindows(ctx: Context): Promise<void> {
  const { bench, tapped } = await openBench(ctx);
  const remote = await tryRights(ctx, bench, tapped);
  const trial = new WindowTrial(ctx, bench, tapped);
  await trial.limits(1);
  await trial.limits(2);
  await trial.takeBack('local-inv');
  await trial.takeBack('send-inv');
  checkRefusals(ctx, [...remote, ...trial.seen]);
  await tryTraps(ctx, bench, trial);
  const open = trial.seen.filter(({ status }) => status === 0).length;
  const last = trial.seen.at(-1)?.status ?? null;
  ctx.outcome('after-inv', last === 0 ? 'works' : last === REM_ACCESS_ERR ? 'refused' : 'other');
  ctx.draining();
  await closeBench(bench, tapped);
  ctx.answer(
    `${remote.filter(({ status }) => status === 0).length} of ${remote.length} remote accesses to regions passed. ` +
      `Through windows, ${open} of ${trial.seen.length} requests passed. After SEND with invalidate, a WRITE ${last === null ? 'did not complete' : `ended with ${statusText(last)}`}.`,
  );
}
