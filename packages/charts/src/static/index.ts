import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { settled } from './host.js';

/** Charts as markup that needs no script: what the page draws, at the sizes that the charts are given. */
export const staticMarkup = (drawn: ReactNode): string => renderToStaticMarkup(settled(drawn));
