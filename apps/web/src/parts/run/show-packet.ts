import { useCallback } from 'react';
import { reveal } from '../../ui/reveal';
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
      const panel = document.querySelector('[data-panel=packets]');
      if (panel?.checkVisibility()) panel.scrollIntoView({ block: 'nearest' });
      else reveal('panel-packets');
    },
    [choose],
  );
}
