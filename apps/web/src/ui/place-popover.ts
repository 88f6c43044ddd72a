interface Size {
  width: number;
  height: number;
}

/** Pixels between the popover and its element, and between it and the edges of the window. */
const GAP = 4;
const MARGIN = 8;

/** Puts a popover that is about to open below an element, or above it where the window ends. */
export function placePopover(near: HTMLElement | null, box: HTMLElement | null, size: Size): void {
  if (!near || !box) return;
  const anchor = near.getBoundingClientRect();
  // The window without the scroll bar, or the room that is kept for one: `clientWidth` has that in it.
  const { width } = document.documentElement.getBoundingClientRect();
  const below = anchor.bottom + GAP;
  const top = below + size.height > innerHeight ? Math.max(MARGIN, anchor.top - size.height - GAP) : below;
  box.style.left = `${Math.max(MARGIN, Math.min(anchor.left, width - size.width - MARGIN))}px`;
  box.style.top = `${top}px`;
}
