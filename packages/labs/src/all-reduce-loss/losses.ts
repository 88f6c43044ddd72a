/** Losses of a path that the lab tries, in percent. */
export const LOSSES = [
  { id: 'rare', percent: 0.01 },
  { id: 'some', percent: 0.1 },
  { id: 'many', percent: 1 },
] as const;
export type LossId = (typeof LOSSES)[number]['id'];
