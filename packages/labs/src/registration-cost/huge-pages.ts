/** Registrations in huge pages, which the host must have set aside. */
import { median, type EndpointHandle, type LabContext } from '@verbslab/protocol';
import { formatBytes } from '../base/format.js';
import { statOf, type Stat } from '../base/sweep.js';
import type { RegistrationCostParams } from './params.js';
import { ACCESS, isRefusal } from './sweep.js';

/** Huge page size of x86-64, and of arm64 with pages of 4 KiB. */
export const HUGE_PAGE_BYTES = 2 * 1024 * 1024;

/** Registrations by size. Where a size gets no huge pages, a note says why, and larger ones are left out. */
export async function registerHuge(
  ctx: LabContext<RegistrationCostParams>,
  endpoint: EndpointHandle,
  pd: number,
  sizes: readonly number[],
): Promise<Map<number, Stat>> {
  const found = new Map<number, Stat>();
  for (const size of sizes.filter((one) => one >= HUGE_PAGE_BYTES)) {
    const samples: number[] = [];
    try {
      for (let round = 0; round < ctx.params.rounds; round++) {
        const { untouched } = await endpoint.call('timeRegistrations', {
          pd,
          length: size,
          times: 1,
          access: ACCESS,
          hugePages: true,
        });
        samples.push(median(untouched.registerNs));
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { message, cure } = error.info;
      ctx.note(`Huge pages are not measured from ${formatBytes(size)} on. ${message} ${cure}`);
      return found;
    }
    found.set(size, statOf(samples));
  }
  return found;
}
