import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { settled } from './host.js';

/**
 * Charts as markup without scripts: the same drawing as on the page, at the given sizes. Ids begin with `idPrefix`, so
 * that the ids of several charts in a document differ.
 */
export const staticMarkup = (drawn: ReactNode, idPrefix = ''): string =>
  renderToStaticMarkup(settled(drawn, idPrefix));
