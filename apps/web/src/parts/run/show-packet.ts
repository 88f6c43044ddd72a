import { useCallback } from 'react';
import { useSelection } from './use-selection';

/** Chooses a packet of the run: it stands in the address. */
export function useChosenPacket(): (index: number) => void {
  const { select } = useSelection();
  return useCallback((index) => select({ kind: 'packet', index }), [select]);
}

/** Chooses a packet from another panel, so that its list comes into sight as well. */
export function useShowPacket(): (index: number) => void {
  const choose = useChosenPacket();
  return useCallback(
    (index) => {
      choose(index);
      document.querySelector('[data-panel=packets]')?.scrollIntoView({ block: 'nearest' });
    },
    [choose],
  );
}
