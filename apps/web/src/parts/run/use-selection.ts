import { useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import { readSelection, sameSelection, writeSelection, type Selection } from '../../model/selection';

/** Selection on the page of a run, from the address, and a function to change it. */
export function useSelection(): { selection: Selection | null; select: (next: Selection | null) => void } {
  const router = useRouter();
  const query = useSearchParams();
  // A string, which stays equal while the selection does.
  const asked = JSON.stringify(readSelection(query));
  const selection = useMemo(() => JSON.parse(asked) as Selection | null, [asked]);
  const select = useCallback(
    (next: Selection | null) => {
      const address = new URLSearchParams(location.search);
      if (sameSelection(readSelection(address), next)) return;
      writeSelection(address, next);
      router.replace(`${location.pathname}?${address}`, { scroll: false });
    },
    [router],
  );
  return { selection, select };
}
