/** Checks of the lab, apart from times. */
import { formatBytes, formatNumber, plural } from '../base/format.js';
import { pagesOf } from '../formulas/page-table.js';
import type { Measured, Sweep } from './sweep.js';

/** `ok` null: the check has nothing to look at. */
export interface Verdict {
  ok: boolean | null;
  detail: string;
}

/** Page faults of other threads of the process, per region or as part of its pages. */
const OTHER_FAULTS = 4;
const OTHER_SHARE = 0.02;
/** The kernel that gives huge pages by itself (transparent huge pages) makes many pages with one fault. */
const ONE_EACH = 0.9;

const noise = (pages: number): number => OTHER_FAULTS + pages * OTHER_SHARE;

/** The pages of untouched memory come to exist while it is registered, each once. */
export function faultsOfUntouched({ sizes, pageBytes }: Sweep): Verdict {
  const wrong = sizes.find(({ size, faults }) => {
    const pages = pagesOf(size, pageBytes);
    return faults.untouched === 0 || faults.untouched > pages + noise(pages);
  });
  const last = wrong ?? sizes.at(-1);
  if (!last) return { ok: null, detail: 'Nothing was registered.' };
  const pages = pagesOf(last.size, pageBytes);
  const fewer = !wrong && last.faults.untouched < ONE_EACH * pages;
  return {
    ok: !wrong,
    detail:
      `Registering ${formatBytes(last.size)} (${plural(pages, 'page')}) caused ${formatNumber(last.faults.untouched)} page faults.` +
      (fewer ? ' The kernel mapped several pages at once: it uses transparent huge pages.' : ''),
  };
}

/** Touched memory has its pages already. */
export function faultsOfTouched({ sizes, pageBytes }: Sweep): Verdict {
  const wrong = sizes.find(({ size, faults }) => faults.touched > noise(pagesOf(size, pageBytes)));
  const last = wrong ?? sizes.at(-1);
  if (!last) return { ok: null, detail: 'Nothing was registered.' };
  return {
    ok: !wrong,
    detail: `Registering ${formatBytes(last.size)} again caused ${formatNumber(last.faults.touched)} page faults.`,
  };
}

export const NOT_REPORTED = 'The kernel does not report how much this device pins for the process.';

/** Locked memory grows by whole pages, as far as the limit allows. */
export function locked({ sizes, pageBytes, memlockLimit }: Sweep): Verdict {
  if (!sizes.some(({ lockedBytes }) => lockedBytes > 0)) return { ok: null, detail: NOT_REPORTED };
  const expected = ({ size }: Measured): number => pagesOf(size, pageBytes) * pageBytes;
  const limited = (one: Measured): boolean =>
    memlockLimit !== null && expected(one) > memlockLimit && one.lockedBytes <= memlockLimit;
  const wrong = sizes.find((one) => one.lockedBytes !== expected(one) && !limited(one));
  const shown = wrong ?? sizes.findLast((one) => !limited(one)) ?? sizes[0]!;
  return {
    ok: !wrong,
    detail: `Registering ${formatBytes(shown.size)} locked ${formatBytes(shown.lockedBytes)}.`,
  };
}

/** Checks that a region locks every page that it touches, also a page with a single byte of it. */
export function unaligned(lockedBytes: number, length: number, offset: number, pageBytes: number): Verdict {
  if (lockedBytes === 0) return { ok: null, detail: NOT_REPORTED };
  const [pages, found] = [pagesOf(length, pageBytes, offset), lockedBytes / pageBytes];
  return {
    ok: found === pages,
    detail: `${formatBytes(length)} that start ${formatBytes(offset)} into a page registered without an error and locked ${plural(found, 'page')}.`,
  };
}

export const REMEDY =
  'Raise the limit: `ulimit -l unlimited` for this shell, or a memlock line in /etc/security/limits.conf, or LimitMEMLOCK= of a service.';

/** Queues and other regions count too, so that a size below the limit may be refused; one that is smaller by a step may not. */
const SIZE_STEP = 4;

/** Checks the largest regions against RLIMIT_MEMLOCK. */
export function limit({ sizes, refused, memlockLimit, pageBytes }: Sweep): Verdict {
  const largest = refused?.size ?? sizes.at(-1)?.size ?? 0;
  if (memlockLimit === null) return { ok: null, detail: 'This process may lock any amount of memory.' };
  if (refused)
    return {
      ok: largest > memlockLimit / SIZE_STEP,
      detail: `Registering ${formatBytes(largest)} failed; the limit is ${formatBytes(memlockLimit)}. ${REMEDY}`,
    };
  const bytes = pagesOf(largest, pageBytes) * pageBytes;
  if (bytes <= memlockLimit)
    return {
      ok: null,
      detail: `The largest region, ${formatBytes(largest)}, is within the limit of ${formatBytes(memlockLimit)}.`,
    };
  const found = sizes.at(-1)!.lockedBytes;
  if (found >= bytes)
    return {
      ok: null,
      detail: `The limit is ${formatBytes(memlockLimit)}, but this process may exceed it: it has CAP_IPC_LOCK, as root has.`,
    };
  return {
    ok: found <= memlockLimit,
    detail: `The limit is ${formatBytes(memlockLimit)}: of ${formatBytes(largest)}, ${formatBytes(found)} were locked. The embedded device registered the rest unlocked; a NIC’s driver would refuse with ENOMEM. ${REMEDY}`,
  };
}
