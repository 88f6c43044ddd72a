import { useEffect, useRef } from 'react';
import type { RunSession } from '../connection/run-sessions';
import { useSelection } from '../parts/run/use-selection';

/** Packets of several processes get other numbers when the run ends: one that was chosen before stays chosen. */
export function useMovedPacket({ state, view }: RunSession): void {
  const { selection, select } = useSelection();
  const live = useRef(false);
  useEffect(() => {
    if (state === 'live') live.current = true;
    if (state !== 'complete' || !live.current) return;
    live.current = false;
    const place = selection?.kind === 'packet' ? view?.model.packets.moved?.[selection.index] : undefined;
    if (place !== undefined) select({ kind: 'packet', index: place });
  }, [state, view, selection, select]);
}
