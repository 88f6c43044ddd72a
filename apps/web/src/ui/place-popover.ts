/** Puts a popover that is about to open below an element, or above it where the window ends. */
export function placePopover(
  near: HTMLElement | null,
  box: HTMLElement | null,
  { width, height }: { width: number; height: number },
): void {
  if (!near || !box) return;
  const anchor = near.getBoundingClientRect();
  const below = anchor.bottom + 4;
  // Without the scroll bar.
  const room = document.documentElement.clientWidth;
  box.style.left = `${Math.max(8, Math.min(anchor.left, room - width - 8))}px`;
  box.style.top = `${below + height > innerHeight ? Math.max(8, anchor.top - height - 4) : below}px`;
}
