import { MOST_COMPARED } from '@verbslab/labs';

/** Where runs are compared: the first of the ids, as many as fit. */
export const compareHref = (ids: readonly string[]): string =>
  `/runs/compare?ids=${ids.slice(0, MOST_COMPARED).join(',')}`;

/** Where any number of runs are points of one chart. */
export const scatterHref = (ids: readonly string[]): string => `/runs/scatter?ids=${ids.join(',')}`;
