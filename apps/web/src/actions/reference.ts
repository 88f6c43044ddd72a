import { TOOLS } from '@verbslab/labs/tools';
import { COUNTER_NAMES, counterMeaning } from '../model/counter-meanings';
import { TERMS } from '../ui/terms';
import type { Action } from './types';

/** An entry without a page; the list shows its meaning. */
const told = (name: string, label: string, keywords: string, meaning: string): Action => ({
  ...{ name, label, keywords, meaning },
  group: 'Go',
  perform: () => undefined,
});

/** Entries of the palette besides actions and pages: tools, glossary terms and counters. Only a search lists them. */
export const REFERENCE: readonly Action[] = [
  ...TOOLS.map(({ name, title }): Action => ({
    name: `tool-${name}`,
    label: `${name}: ${title}`,
    group: 'Go',
    keywords: 'tool run command program',
    perform: (ctx) => ctx.navigate(`/tools/${name}`),
  })),
  ...Object.entries<{ term: string; meaning: string; forms?: readonly string[] }>(TERMS).map(
    ([id, { term, meaning, forms = [] }]) =>
      told(`term-${id}`, term, ['term', 'glossary', id, ...forms].join(' '), meaning),
  ),
  ...COUNTER_NAMES.map((name) =>
    told(`counter-${name}`, name, `counter ${name.replaceAll('_', ' ')}`, counterMeaning(name)!),
  ),
];
