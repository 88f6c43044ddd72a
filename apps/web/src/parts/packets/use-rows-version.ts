import { useSyncExternalStore } from 'react';
import type { PacketRows } from '../../model/packet-rows';

const NEVER = () => () => undefined;

/** Changes when rows that were asked for, and were not in memory, have come. */
export function useRowsVersion(rows: PacketRows): number {
  const version = () => rows.version ?? 0;
  return useSyncExternalStore(rows.subscribe ?? NEVER, version, version);
}
