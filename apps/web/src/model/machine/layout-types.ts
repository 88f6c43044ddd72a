/** Parts of the drawing of a machine, in pixels. */
import type { Ring } from './queue-fill';
import type { MachinePart } from './machine';

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface RingPlace extends Box {
  ring: Ring;
}

/** A part of the drawing that can be chosen. */
export interface MachineNode extends Box {
  /** Id of the object; other nodes have ids such as `process client`. */
  id: string;
  what: 'process' | 'device' | 'object' | 'group';
  endpoint: string;
  kind: string;
  label: string;
  /** Muted text beside the label. */
  note: string;
  part: MachinePart | null;
  rings: readonly RingPlace[];
  /** Objects of a group or of a process. */
  members: readonly MachinePart[];
  /** True if the node is drawn around others, with its label at the top. */
  frame: boolean;
  /** True if the text is at the right end, because the wire comes from the left. */
  turned: boolean;
}

export interface Frame extends Box {
  title: string;
}

export interface MachineLayout {
  width: number;
  height: number;
  frames: readonly Frame[];
  nodes: readonly MachineNode[];
  /** Wire from device to device; undefined if it is not drawn. */
  wire: Wire | undefined;
}

export type Point = readonly [x: number, y: number];

export interface Wire {
  from: Point;
  to: Point;
  down: boolean;
  /** Lines from the wire to each folded process. */
  branches: readonly (readonly [from: Point, to: Point])[];
}

export interface LayoutOptions {
  width: number;
  titleOf: (endpoint: string) => string;
  hostOf: (name: string) => string;
  /** Endpoints from left to right; others follow them. */
  order: readonly string[];
  /** Process to unfold if not all fit; default: the one with most objects. */
  opened: string | null;
  /** Object to draw even if its group is folded. */
  selected: string | null;
}
