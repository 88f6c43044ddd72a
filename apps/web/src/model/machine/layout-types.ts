/** Parts of a machine as they are drawn, in pixels. */
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

/** Something that can be chosen. */
export interface MachineNode extends Box {
  /** Of an object its own; of others what they stand for. */
  id: string;
  what: 'process' | 'device' | 'object' | 'group';
  endpoint: string;
  kind: string;
  label: string;
  /** Beside the label, muted. */
  note: string;
  part: MachinePart | null;
  rings: readonly RingPlace[];
  /** Of a group, and of a process that is folded: its objects. */
  members: readonly MachinePart[];
  /** Drawn around others: its label stands at the top. */
  frame: boolean;
  /** Its words stand at its right end: the wire comes from the left. */
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
  /** From device to device; undefined where it is not drawn. */
  wire: Wire | undefined;
}

export type Point = readonly [x: number, y: number];

export interface Wire {
  from: Point;
  to: Point;
  down: boolean;
  /** From the wire to each process that is folded. */
  branches: readonly (readonly [from: Point, to: Point])[];
}

export interface LayoutOptions {
  width: number;
  titleOf: (endpoint: string) => string;
  hostOf: (name: string) => string;
  /** Endpoints from left to right; others come after them. */
  order: readonly string[];
  /** Process to open where not all fit; by default the one with most objects. */
  opened: string | null;
  /** Object that must be drawn even where a group is folded. */
  selected: string | null;
}
