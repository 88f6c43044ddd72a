/** Flows of the hosts in front of `to` to that one, for the drawing of a fabric. */
export const toOne = (to: number): [number, number][] => Array.from({ length: to }, (_, from) => [from, to]);
