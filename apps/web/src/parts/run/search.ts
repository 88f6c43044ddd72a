import { LINK_NAME, type RunRow } from '@verbslab/protocol';
import { PROVIDERS } from '../../ui/provider-badge';
import type { ListQuery } from './list-query';
import { allParameters, type ParameterText } from './parameters';

/** All that a search looks through, in lower case. */
function searched(run: RunRow, parameters: ParameterText): string {
  const { result } = run;
  const places = (result?.endpoints ?? []).flatMap(({ host, device }) => [host, `${host}/${device}`]);
  return [
    `#${run.number}`,
    run.number,
    run.title,
    run.lab,
    run.state,
    parameters(run),
    allParameters(run),
    result?.device ?? '',
    run.imported ? `imported ${run.imported.host}` : '',
    ...places,
    result?.provider ? PROVIDERS[result.provider].label : '',
    ...(result?.links ?? []).map((link) => LINK_NAME[link]),
    ...(run.tags ?? []),
  ]
    .join(' ')
    .replaceAll('\u00a0', ' ')
    .toLowerCase();
}

/** Runs with a note that has the word. */
export type Noted = Readonly<Record<string, readonly string[]>>;

export const wordsOf = (q: string): string[] => q.toLowerCase().split(/\s+/).filter(Boolean);

/** Picks the runs that fit a query. What is searched of a run is put together once. */
export function runFilter(
  parameters: ParameterText,
  noted: Noted = {},
): (run: RunRow, query: ListQuery) => boolean {
  const texts = new WeakMap<RunRow, string>();
  return (run, { q, lab, state, tag }) => {
    if (lab !== '' && run.lab !== lab) return false;
    if (state !== '' && run.state !== state) return false;
    if (tag !== '' && !run.tags?.includes(tag)) return false;
    const words = wordsOf(q);
    if (words.length === 0) return true;
    const text = texts.get(run) ?? searched(run, parameters);
    texts.set(run, text);
    return words.every((word) => text.includes(word) || (noted[word]?.includes(run.id) ?? false));
  };
}
