import type { LabContext } from '@verbslab/protocol';
import { formatCount } from '../base/format.js';
import { faultsOfTouched, faultsOfUntouched, limit, locked, unaligned, type Verdict } from './checks.js';
import { registerHuge } from './huge-pages.js';
import type { RegistrationCostParams } from './params.js';
import { ACCESS, sweep, type Sweep } from './sweep.js';
import { tellFigures, tellSizes, tellTables } from './tell.js';

export async function runRegistrationCost(ctx: LabContext<RegistrationCostParams>): Promise<void> {
  const program = ctx.endpoint('program');
  const { pd } = await program.call('allocPd', {});
  const found = await sweep(ctx, program, pd);
  const { pageBytes } = found;
  const huge = ctx.params.hugePages
    ? await registerHuge(
        ctx,
        program,
        pd,
        found.sizes.map(({ size }) => size),
      )
    : new Map<number, never>();
  tellSizes(ctx, found, huge);
  tellTables(ctx);
  tellFigures(ctx, found);
  if (found.refused) ctx.note(`${found.refused.error.message} ${found.refused.error.info.cure}`);
  ctx.note(
    'The times include the call from Node.js into the library, a few microseconds. A NIC also writes the page addresses into its table; the embedded device has no table, because it uses the CPU’s page tables.',
  );

  const half = pageBytes / 2;
  const { untouched } = await program.call('timeRegistrations', {
    pd,
    length: pageBytes,
    times: 1,
    access: ACCESS,
    offset: half,
  });
  await program.call('destroy', { what: 'pd', handle: pd });
  report(ctx, 'faults', faultsOfUntouched(found));
  report(ctx, 'no-faults', faultsOfTouched(found));
  report(ctx, 'locked', locked(found));
  report(ctx, 'unaligned', unaligned(untouched.lockedBytes, pageBytes, half, pageBytes));
  report(ctx, 'grows', grows(found));
  report(ctx, 'limit', limit(found));
}

/** A device that registers without looking at the pages (on-demand paging) does not. */
function grows({ sizes }: Sweep): Verdict {
  const [small, large] = [sizes[0], sizes.at(-1)];
  if (!small || !large || small === large) return { ok: null, detail: 'Only one size was registered.' };
  const ratio = large.register.touched.value / small.register.touched.value;
  return {
    // Programs beside the lab can slow down some measurements of the small region, but hardly most of them.
    ok: large.register.touched.min > small.register.touched.value,
    detail: `The largest region took ${formatCount(ratio)} times as long as the smallest.`,
  };
}

function report(ctx: LabContext<RegistrationCostParams>, id: string, { ok, detail }: Verdict): void {
  if (ok === null) ctx.doesNotApply(id, detail);
  else ctx.check(id, ok, detail);
}
