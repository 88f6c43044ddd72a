import { useRouter } from 'next/navigation';
import { useCallback } from 'react';

/** Chooses a packet of the run: it stands in the address. */
export function useChosenPacket(): (index: number) => void {
  const router = useRouter();
  return useCallback(
    (index) => {
      const next = new URLSearchParams(location.search);
      next.set('packet', String(index + 1));
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
