import { placeBelow, type Box, type Place, type Size } from '../ui/place-popover';

/** Space between the card, its target, and the edges of the window, in pixels. */
export const GAP = 12;
/** Height of the bar at the top. A card beside a target in it would lie over the bar. */
const TOP_BAR = 48;

/**
 * Places the card beside the target if there is room, else below or above it, and completely inside the window if
 * possible.
 */
export function placeCard(box: Box, card: Size, window: Size): Place {
  const right = box.left + box.width + GAP;
  const lowest = window.height - card.height - GAP;
  if (right + card.width + GAP <= window.width && box.width < window.width / 2 && box.top > TOP_BAR)
    return { left: right, top: Math.max(GAP, Math.min(box.top, lowest)) };
  return placeBelow(box, card, { ...window, height: window.height - GAP }, GAP, GAP);
}
