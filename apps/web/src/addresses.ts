/** Addresses of the dashboard's pages. */
import { MOST_COMPARED } from '@verbslab/labs';
import type { WorkbenchLanguage } from '@verbslab/protocol';

const withQuery = (path: string, query: URLSearchParams): string =>
  query.size > 0 ? `${path}?${query}` : path;

export const runHref = (id: string): string => `/runs/view?id=${id}`;

/** A part of a joined run by itself: its own address shows the joined run. */
export const partHref = (id: string): string => `${runHref(id)}&alone=1`;

/** Comparison of the first runs, up to the limit. */
export const compareHref = (ids: readonly string[]): string =>
  `/runs/compare?ids=${ids.slice(0, MOST_COMPARED).join(',')}`;

/** Chart with any number of runs as points. */
export const scatterHref = (ids: readonly string[]): string => `/runs/scatter?ids=${ids.join(',')}`;

export const sweepHref = (id: string): string => `/sweeps?id=${id}`;

/** Form of a lab, with values for its parameters. */
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
  return withQuery(`/labs/${lab}`, query);
}

/** Text of a lab with the figures of one of its runs. */
export const readingHref = (lab: string, run: string): string => `/labs/${lab}?run=${run}`;

/** Form of a tool, with these fields filled in. */
export function toolHref(
  name: string,
  params: Readonly<Record<string, unknown>> = {},
  link = 'auto',
): string {
  const query = new URLSearchParams(Object.entries(params).map(([key, value]) => [key, String(value)]));
  if (link !== 'auto') query.set('link', link);
  return withQuery(`/tools/${name}`, query);
}

/** Task of the workbench; with a run, its program and the verdict on it. */
export function taskHref(task: string, language: WorkbenchLanguage = 'typescript', run?: string): string {
  const query = new URLSearchParams();
  if (language !== 'typescript') query.set('language', language);
  if (run !== undefined) query.set('run', run);
  return withQuery(`/workbench/${task}`, query);
}
