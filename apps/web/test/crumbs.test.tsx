import { LayoutRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Crumbs } from '../src/frame/crumbs';
import { CATALOG } from '../src/labs/catalog';

const titles = Object.fromEntries(CATALOG.map(({ id, title }) => [id, title]));
/** `built`: the page that was built; at unknown addresses that is one of its own. */
const trail = (path: string, built = path): string[] =>
  renderToStaticMarkup(
    <LayoutRouterContext value={{ parentTree: ['', { children: [built.slice(1), {}] }] } as never}>
      <PathnameContext value={path}>
        <Crumbs labTitles={titles} />
      </PathnameContext>
    </LayoutRouterContext>,
  )
    .split(/<[^>]*>/)
    .filter((text) => text !== '' && text !== '/');

describe('the way to a page', () => {
  it.each(CATALOG.map(({ id, title }) => [id, title]))('calls the lab %s by its title', (id, title) =>
    expect(trail(`/labs/${id}`)).toEqual(['Labs', title]),
  );

  it('names pages, and a run before its number is known', () => {
    expect(trail('/')).toEqual(['Home']);
    expect(trail('/runs/view')).toEqual(['Runs', 'Run']);
  });

  it('is the same at every unknown address: its page was built once', () => {
    for (const path of ['/nowhere', '/labs/x', '/workbench/nope', '/tools/none', '/explanations/none'])
      expect(trail(path, '/_not-found')).toEqual(['Page not found']);
  });
});
