import type { MachineNode } from './layout-types';

/** The node that the arrow keys lead to from another: the nearest in that direction. */
export function nearestNode(
  nodes: readonly MachineNode[],
  from: MachineNode,
  key: string,
): MachineNode | null {
  const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!by) return null;
  const [dx, dy] = by as [number, number];
  // Frames are entered at their upper left corner.
  const middle = ({ x, y, w, h, frame }: MachineNode) => (frame ? [x + 20, y + 14] : [x + w / 2, y + h / 2]);
  const [fx, fy] = middle(from) as [number, number];
  let best: MachineNode | null = null;
  let least = Infinity;
  for (const node of nodes) {
    if (node === from) continue;
    const [x, y] = middle(node) as [number, number];
    const along = (x - fx) * dx + (y - fy) * dy;
    const beside = Math.abs((x - fx) * dy) + Math.abs((y - fy) * dx);
    if (along <= 1) continue;
    const far = along + 2 * beside;
    if (far < least) {
      least = far;
      best = node;
    }
  }
  return best;
}
