import type { Palette, Pen } from './pen';

/** A drawing that is kept as long as its view, its size and its colors stay, so that drawing it again is one copy. */
export function stillLayer(paint: (pen: Pen) => void): (pen: Pen) => void {
  const layer = new OffscreenCanvas(1, 1);
  let drawn: { from: number; to: number; colors: Palette; scale: number; axis: Pen['view']['axis'] } | null =
    null;
  return (pen) => {
    const { ctx, view, height, colors } = pen;
    const scale = ctx.getTransform().a;
    const [w, h] = [Math.round(view.width * scale), Math.round(height * scale)];
    const same =
      drawn !== null &&
      layer.width === w &&
      layer.height === h &&
      drawn.from === view.from &&
      drawn.to === view.to &&
      drawn.axis === view.axis &&
      drawn.colors === colors &&
      drawn.scale === scale;
    if (!same) {
      // Setting its size clears it.
      [layer.width, layer.height] = [w, h];
      const onto = layer.getContext('2d')!;
      onto.setTransform(scale, 0, 0, scale, 0, 0);
      onto.font = ctx.font;
      paint({ ...pen, ctx: onto });
      drawn = { from: view.from, to: view.to, colors, scale, axis: view.axis };
    }
    if (w > 0 && h > 0) ctx.drawImage(layer, 0, 0, view.width, height);
  };
}
