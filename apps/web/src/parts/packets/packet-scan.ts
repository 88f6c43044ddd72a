import type { Filter } from '@verbslab/roce';
import type { PacketRows } from '../../model/packet-rows';

/** Longest time for which a scan blocks the page. */
const SLICE_MS = 12;
/** Packets between two readings of the clock. */
const STRIDE = 256;

/** A pass over all packets. */
export interface Scan {
  rows: PacketRows;
  /** Null for all packets. */
  filter: Filter | null;
  /** Gets each packet that passes. */
  see: (index: number) => void;
  /** The next packet. */
  at: number;
}

/** Checks some packets. Returns true if there are no more, or a promise to wait for before the next ones. */
export function advance(scan: Scan): boolean | Promise<void> {
  const { rows, filter, see } = scan;
  const end = performance.now() + SLICE_MS;
  while (scan.at < rows.length && performance.now() < end) {
    const stop = Math.min(scan.at + STRIDE, rows.length);
    const coming = filter?.needs.bytes ? rows.ready?.(scan.at, stop) : null;
    if (coming) return coming;
    for (; scan.at < stop; scan.at++) if (!filter || filter.matches(rows.filtered(scan.at))) see(scan.at);
  }
  return scan.at >= rows.length;
}

/** Advances a scan until its end, with breaks for the page; `show` hears every `interval` ms, and at the end. Returns what stops it. */
export function run(scan: Scan, interval: number, show: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wanted = true;
  let shown = performance.now();
  function step() {
    if (!wanted) return;
    const state = advance(scan);
    const now = performance.now();
    if (state === true || now - shown > interval) {
      shown = now;
      show();
    }
    if (typeof state === 'object') void state.then(step);
    else if (!state) timer = setTimeout(step);
  }
  step();
  return () => {
    wanted = false;
    clearTimeout(timer);
  };
}
