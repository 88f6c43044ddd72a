/** Figures, tables, curves and the answer, from what was measured. */
import type { LabContext } from '@verbslab/protocol';
import { formatBytes, formatNumber, formatTime, plural } from '../base/format.js';
import { scaled, statOf, type Stat } from '../base/sweep.js';
import { roundsFor, winnerOf } from '../base/verdict.js';
import { pagesOf, tableBytes } from '../formulas/page-table.js';
import { HUGE_PAGE_BYTES } from './huge-pages.js';
import type { RegistrationCostParams } from './params.js';
import type { Measured, State, Sweep } from './sweep.js';

type Context = LabContext<RegistrationCostParams>;

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const US = 1e-3;
/** Sizes whose tables are computed. */
const TABLE_SIZES = [MIB, 512 * MIB, GIB, 16 * GIB];
const TABLE_PAGES = [4 * KIB, HUGE_PAGE_BYTES];

export function tellSizes(ctx: Context, { sizes, pageBytes }: Sweep, huge: Map<number, Stat>): void {
  for (const { size, register, deregister, faults, lockedBytes } of sizes) {
    const pages = pagesOf(size, pageBytes);
    ctx.row('sizes', {
      size,
      pages,
      table: tableBytes(pages),
      untouched: register.untouched.value * US,
      touched: register.touched.value * US,
      deregister: deregister.value * US,
      faults: faults.untouched,
      locked: lockedBytes,
    });
    ctx.point('translations', { x: size, y: tableBytes(pages) });
    const series: [string, Stat | undefined][] = [
      ['untouched', register.untouched],
      ['touched', register.touched],
      ['deregister', deregister],
      ['huge', huge.get(size)],
    ];
    for (const [name, spread] of series) {
      if (!spread) continue;
      const { value: y, min, max } = scaled(spread, US);
      ctx.point('cost', { x: size, y, series: name, min, max });
    }
  }
}

export function tellTables(ctx: Context): void {
  for (const size of TABLE_SIZES)
    for (const page of TABLE_PAGES) {
      if (size < page) continue;
      const pages = pagesOf(size, page);
      ctx.row('tables', { size, page, pages, table: tableBytes(pages) });
    }
}

/** Nanoseconds that each further page takes, by every size: the time of the smallest region is the fixed part. */
function perPage({ sizes, pageBytes }: Sweep, state: State): Stat {
  const [small, ...others] = sizes as [Measured, ...Measured[]];
  const pages = ({ size }: Measured): number => pagesOf(size, pageBytes) - pagesOf(small.size, pageBytes);
  return statOf(others.map((one) => (one.register[state].value - small.register[state].value) / pages(one)));
}

export function tellFigures(ctx: Context, found: Sweep): void {
  const { sizes, pageBytes } = found;
  const [small, large] = [sizes[0], sizes.at(-1)];
  if (!small || !large || small === large || pagesOf(large.size, pageBytes) === 1) return;
  const pages = pagesOf(large.size, pageBytes);
  const figure = (name: string, stat: Stat): void => ctx.figure(name, stat.value, stat);
  const touched = perPage(found, 'touched');
  const untouched = perPage(found, 'untouched');
  figure('fixed', scaled(small.register.touched, US));
  figure('per-page-touched', touched);
  figure('per-page-untouched', untouched);
  figure('largest-touched', scaled(large.register.touched, 1e-6));
  figure('largest-untouched', scaled(large.register.untouched, 1e-6));
  ctx.figure('ratio', untouched.value / touched.value);
  ctx.figure('pages', pages);
  ctx.figure('table', tableBytes(pages));
  ctx.figure('limit', found.memlockLimit);

  const { rounds } = ctx.params;
  const slower = large.untouchedSlower;
  const verdict = winnerOf({ first: slower, second: rounds - slower }, rounds, 1);
  ctx.outcome('untouched', verdict === 'first' ? 'touched' : verdict === 'second' ? 'untouched' : 'same');
  ctx.outcome('sixteen', growth(sizes));
  const took = formatTime(large.register.untouched.value);
  const compared =
    verdict === 'first'
      ? `On pages that had not been touched it took ${took}, longer in ${slower} of ${plural(rounds, 'round')}, because the kernel had to create each page first.`
      : verdict === 'few'
        ? `On pages that had not been touched it took ${took}; it was slower in ${slower} of ${plural(rounds, 'round')}, too few for a verdict (${roundsFor(1)} needed).`
        : `On pages that had not been touched it took ${took}: no clear difference, since it was slower in ${slower} of ${plural(rounds, 'round')}.`;
  ctx.answer(
    `Registering ${formatBytes(large.size)} took ${formatTime(large.register.touched.value)} for ${formatNumber(pages)} pages. One page took ${formatTime(small.register.touched.value)}, and each further one about ${formatTime(touched.value)}. ${compared}`,
  );
}

/** The option that lies nearest to what 16 times as many bytes cost. */
function growth(sizes: readonly Measured[]): string {
  const large = sizes.at(-1)!;
  const other = sizes.findLast(({ size }) => size * 16 <= large.size) ?? sizes[0]!;
  const ratio = large.register.touched.value / other.register.touched.value;
  return ratio < 2 ? 'same' : ratio < 8 ? 'four' : 'sixteen';
}
