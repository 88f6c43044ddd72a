import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Crumbs } from '../src/frame/crumbs';
import { CATALOGUE } from '../src/labs/catalogue';

const titles = Object.fromEntries(CATALOGUE.map(({ id, title }) => [id, title]));
const trail = (path: string): string[] =>
  renderToStaticMarkup(
    <PathnameContext value={path}>
      <Crumbs labTitles={titles} />
    </PathnameContext>,
  )
    .split(/<[^>]*>/)
    .filter((text) => text !== '' && text !== '/');

describe('the way to a page', () => {
  it.each(CATALOGUE.map(({ id, title }) => [id, title]))('calls the lab %s by its title', (id, title) =>
    expect(trail(`/labs/${id}`)).toEqual(['Labs', title]),
  );

  it('names pages, and a run before its number is known', () => {
    expect(trail('/')).toEqual(['Home']);
    expect(trail('/runs/view')).toEqual(['Runs', 'Run']);
    expect(trail('/nowhere')).toEqual(['Page not found']);
  });
});
