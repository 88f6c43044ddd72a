/** Places of the graph of states: across, and one below the other for narrow pages. */
import type { State } from './transitions';

type Point = readonly [x: number, y: number];

export interface Places {
  width: number;
  height: number;
  /** Middle of each state. */
  states: Readonly<Record<State, Point>>;
  /** Middle of the label “any state”. */
  any: Point;
  /** Lines of the transitions, by name: from edge to edge. */
  lines: Readonly<Record<string, readonly Point[]>>;
  /** Lines of the errors that the device reports by itself: without a name, they belong to `auto-ERR`. */
  errors: readonly (readonly Point[])[];
}

/** Half of a state's width and height. */
export const HALF = { w: 36, h: 18 };

export const WIDE: Places = {
  width: 640,
  height: 252,
  states: {
    ...{ RESET: [56, 112], INIT: [186, 112], RTR: [316, 112], RTS: [446, 112], SQD: [584, 112] },
    ...{ SQE: [446, 26], ERR: [446, 218] },
  },
  any: [186, 218],
  lines: {
    'RESET-INIT': [
      [92, 112],
      [150, 112],
    ],
    'INIT-RTR': [
      [222, 112],
      [280, 112],
    ],
    'RTR-RTS': [
      [352, 112],
      [410, 112],
    ],
    'RTS-SQD': [
      [482, 106],
      [548, 106],
    ],
    'SQD-RTS': [
      [548, 118],
      [482, 118],
    ],
    'auto-SQE': [
      [438, 94],
      [438, 44],
    ],
    'SQE-RTS': [
      [454, 44],
      [454, 94],
    ],
    'any-ERR': [
      [232, 218],
      [410, 218],
    ],
    'any-RESET': [
      [140, 218],
      [56, 218],
      [56, 130],
    ],
  },
  errors: [
    [
      [316, 130],
      [316, 168],
      [432, 168],
      [432, 200],
    ],
    [
      [446, 130],
      [446, 200],
    ],
    [
      [584, 130],
      [584, 168],
      [460, 168],
      [460, 200],
    ],
  ],
};

export const TALL: Places = {
  width: 328,
  height: 420,
  states: {
    ...{ RESET: [52, 28], INIT: [52, 116], RTR: [52, 204], RTS: [52, 304], SQE: [52, 396] },
    ...{ SQD: [252, 304], ERR: [252, 168] },
  },
  any: [252, 28],
  lines: {
    'RESET-INIT': [
      [52, 46],
      [52, 98],
    ],
    'INIT-RTR': [
      [52, 134],
      [52, 186],
    ],
    'RTR-RTS': [
      [52, 222],
      [52, 286],
    ],
    'RTS-SQD': [
      [88, 298],
      [216, 298],
    ],
    'SQD-RTS': [
      [216, 310],
      [88, 310],
    ],
    'auto-SQE': [
      [44, 322],
      [44, 378],
    ],
    'SQE-RTS': [
      [60, 378],
      [60, 322],
    ],
    'any-ERR': [
      [252, 46],
      [252, 150],
    ],
    'any-RESET': [
      [206, 28],
      [88, 28],
    ],
  },
  errors: [
    [
      [88, 204],
      [150, 204],
      [150, 162],
      [216, 162],
    ],
    [
      [76, 286],
      [76, 256],
      [168, 256],
      [168, 174],
      [216, 174],
    ],
    [
      [252, 286],
      [252, 186],
    ],
  ],
};

/** The state that lies nearest in the direction of an arrow key; null if there is none. */
export function nextState({ states }: Places, from: State, key: string): State | null {
  const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
  if (!way) return null;
  const [x, y] = states[from];
  const there = (Object.entries(states) as [State, Point][]).flatMap(([state, [sx, sy]]) => {
    const along = (sx - x) * way[0]! + (sy - y) * way[1]!;
    const aside = Math.abs((sx - x) * way[1]!) + Math.abs((sy - y) * way[0]!);
    return state !== from && along > 0 && aside <= 3 * along ? [{ state, far: along + 2 * aside }] : [];
  });
  return there.toSorted((a, b) => a.far - b.far)[0]?.state ?? null;
}
