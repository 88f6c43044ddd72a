import { useSyncExternalStore } from 'react';
import type { PacketRows } from './rows';

const NEVER = () => () => undefined;

/** Changes when rows that were asked for, and were not in memory, have come. */
export const useRowsVersion = (rows: PacketRows): number =>
  useSyncExternalStore(rows.subscribe ?? NEVER, () => rows.version ?? 0);
