import { formatNumber } from '../base/format.js';

/** Values as parts of their sum, %. */
export function sharesOf(values: readonly number[]): number[] {
  const sum = values.reduce((all, one) => all + one, 0);
  return values.map((one) => (one / sum) * 100);
}

/** Busy part of a core from which a device has no time left, %. */
const FULL = 90;

/** Sentence about the server's device as the limit, by its CPU time. @param busy of one core, % */
export function limitText(busy: number): string {
  const used = `The server’s device used ${formatNumber(busy)} % of one core for NIC work`;
  return busy >= FULL
    ? `${used}, so the server was the limit.`
    : `${used}, so it was not the limit by itself. On one machine, clients, probe and server share the cores.`;
}
