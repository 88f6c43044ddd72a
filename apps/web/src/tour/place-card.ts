/** Pixels between the card, what it points at, and the edges of the window. */
export const GAP = 12;

export interface Size {
  width: number;
  height: number;
}
export interface Place {
  left: number;
  top: number;
}
export type Box = Place & Size;

/** Beside the element where there is room, else below or above it; always whole inside the window if that can be. */
export function placeCard(box: Box, card: Size, window: Size): Place {
  const within = (at: number, size: number, room: number) => Math.max(GAP, Math.min(at, room - size - GAP));
  const right = box.left + box.width + GAP;
  if (right + card.width + GAP <= window.width && box.width < window.width / 2 && box.top > GAP * 4)
    return { left: right, top: within(box.top, card.height, window.height) };
  const below = box.top + box.height + GAP;
  const top = below + card.height + GAP <= window.height ? below : box.top - card.height - GAP;
  return {
    left: within(box.left + box.width / 2 - card.width / 2, card.width, window.width),
    top: within(top, card.height, window.height),
  };
}
