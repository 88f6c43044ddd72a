export interface Size {
  width: number;
  height: number;
}
export interface Place {
  left: number;
  top: number;
}
export type Box = Place & Size;

/** Below an element, or above it where the window ends. `gap`: pixels from the element; `margin`: from the window's edges. */
export function placeBelow(anchor: Box, box: Size, window: Size, gap: number, margin: number): Place {
  const below = anchor.top + anchor.height + gap;
  return {
    left: Math.max(margin, Math.min(anchor.left, window.width - box.width - margin)),
    top: below + box.height > window.height ? Math.max(margin, anchor.top - box.height - gap) : below,
  };
}

/** The window without the scroll bar, or the room that is kept for one: `clientWidth` has that in it. */
export const windowSize = (): Size => ({
  width: document.documentElement.getBoundingClientRect().width,
  height: innerHeight,
});

/** Puts a popover that is about to open below an element, or above it where the window ends. */
export function placePopover(near: HTMLElement | null, box: HTMLElement | null, size: Size): void {
  if (!near || !box) return;
  const { left, top } = placeBelow(near.getBoundingClientRect(), size, windowSize(), 4, 8);
  box.style.left = `${left}px`;
  box.style.top = `${top}px`;
}
