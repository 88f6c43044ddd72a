import { useRouter } from 'next/navigation';
import { useCallback } from 'react';
import { writeSelection } from './selection-query';

/** Chooses a packet of the run: it stands in the address. */
export function useChosenPacket(): (index: number) => void {
  const router = useRouter();
  return useCallback(
    (index) => {
      const next = new URLSearchParams(location.search);
      writeSelection(next, { kind: 'packet', index });
      router.replace(`/runs/view?${next}`, { scroll: false });
    },
    [router],
  );
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
