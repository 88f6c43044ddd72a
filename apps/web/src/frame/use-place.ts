import { usePathname, useSelectedLayoutSegments } from 'next/navigation';

/**
 * The address of the page; null on the page for unknown addresses. That one was built once, for none of them, so nothing in
 * the frame may depend on its address: React would find another page than the one that was built.
 */
export function usePlace(): string | null {
  const path = usePathname();
  // Null outside of a layout.
  const segments: readonly string[] | null = useSelectedLayoutSegments();
  return segments?.[0]?.endsWith('_not-found') ? null : path;
}
