import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { settled } from './host.js';

/**
 * Charts as markup that needs no script: what the page draws, at the sizes that the charts are given. Ids begin with
 * `idPrefix`, so that those of several charts in one document differ.
 */
export const staticMarkup = (drawn: ReactNode, idPrefix = ''): string =>
  renderToStaticMarkup(settled(drawn, idPrefix));
