import { placeBelow, type Box, type Place, type Size } from '../ui/place-popover';

/** Pixels between the card, what it points at, and the edges of the window. */
export const GAP = 12;
/** What stands higher belongs to the bar at the top, over which a card beside it would lie. */
const TOP_BAR = 48;

/** Beside the element where there is room, else below or above it; whole inside the window if that can be. */
export function placeCard(box: Box, card: Size, window: Size): Place {
  const right = box.left + box.width + GAP;
  const lowest = window.height - card.height - GAP;
  if (right + card.width + GAP <= window.width && box.width < window.width / 2 && box.top > TOP_BAR)
    return { left: right, top: Math.max(GAP, Math.min(box.top, lowest)) };
  return placeBelow(box, card, { ...window, height: window.height - GAP }, GAP, GAP);
}
