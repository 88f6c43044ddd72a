import type { PacketRows } from './packet-rows';

/** Packets that are looked at in each direction. */
const SEARCHED = 20_000;

/**
 * Packets of the connection of a packet, with at most `reach` before and after it, in the order of the list. Arrivals
 * of packets that the list also has as they were sent are left out.
 */
export function connectionAround(rows: PacketRows, index: number, reach: number): number[] {
  const pair = rows.flow(index)?.pair;
  if (pair === undefined) return [];
  const towards = (by: 1 | -1): number[] => {
    const found: number[] = [];
    const end = by > 0 ? Math.min(rows.length, index + SEARCHED) : Math.max(-1, index - SEARCHED);
    for (let i = index + by; i !== end && (by > 0 ? i < end : i > end) && found.length < reach; i += by)
      if (rows.flow(i)?.pair === pair && !rows.isArrival(i)) found.push(i);
    return found;
  };
  return [...towards(-1).reverse(), index, ...towards(1)];
}
