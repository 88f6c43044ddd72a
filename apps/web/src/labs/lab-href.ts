/** Link to a lab's form, with values for its parameters. */
export function labHref(
  lab: string,
  parameters: Readonly<Record<string, unknown>>,
  more: Iterable<[string, string]> = [],
): string {
  const query = new URLSearchParams([
    ...Object.entries(parameters).map(([k, v]): [string, string] => [
      k,
      typeof v === 'string' ? v : JSON.stringify(v),
    ]),
    ...more,
  ]);
  return query.size > 0 ? `/labs/${lab}?${query}` : `/labs/${lab}`;
}

/** Link to a lab's text with the figures of one of its runs. */
export const readingHref = (lab: string, run: string): string => `/labs/${lab}?run=${run}`;
