/** Where a sweep is shown. */
export const sweepHref = (id: string): string => `/sweeps?id=${id}`;
