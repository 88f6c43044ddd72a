// Content of a page: the elements that declare a statement with data-shows, and their panels.
import type { Page } from '@playwright/test';

/** A figure or statement as a page shows it. */
export interface Shown {
  /** Value of `data-shows`. */
  name: string;
  /** Text of the element, without nested statements and hover explanations. */
  text: string;
  /** `data-panel` of the panel around it; empty beside panels. */
  panel: string;
  /** data-* of the element and of all elements around it. The nearest one wins. */
  data: Readonly<Record<string, string>>;
  /** Rows of a table, cell by cell. */
  rows?: string[][];
}

export interface PageContent {
  shown: Shown[];
  panels: string[];
  /** Texts with a figure that no statement covers. */
  stray: string[];
}

/** Reads the content. Runs in the page. */
function read(): PageContent {
  const main = document.querySelector('main')!;
  const plain = (text: string): string => text.replace(/[\s\u00a0]+/g, ' ').trim();
  const textOf = (element: Element): string => {
    const copy = element.cloneNode(true) as Element;
    for (const inner of copy.querySelectorAll('[data-shows], [popover]')) inner.remove();
    return plain(copy.textContent);
  };
  const dataOf = (element: Element): Record<string, string> => {
    const data: Record<string, string> = {};
    for (let at: Element | null = element; at && at !== main; at = at.parentElement) {
      for (const { name, value } of at.attributes) {
        if (name.startsWith('data-')) data[name.slice(5)] ??= value;
      }
    }
    return data;
  };
  const shown = [...main.querySelectorAll('[data-shows]')].map((element) => {
    const data = dataOf(element);
    const table = element instanceof HTMLTableElement ? element : null;
    return {
      name: element.getAttribute('data-shows')!,
      text: textOf(element),
      panel: data.panel ?? '',
      data,
      ...(table ? { rows: [...table.rows].map((row) => [...row.cells].map(textOf)) } : {}),
    };
  });
  // A panel that stays empty says why, and states nothing of the run.
  const panels = [...main.querySelectorAll('[data-panel]:not(:has([data-never-filled]))')].map((p) =>
    p.getAttribute('data-panel')!,
  );

  // Axes, names and explanations are no figures of the run. Lists of records are compared row by row.
  const apart =
    '[data-shows], [data-records], [popover], button, a, select, th, .prose, [role=status], [aria-hidden=true], [data-words]';
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const stray: string[] = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = plain(node.textContent ?? '');
    const around = node.parentElement;
    if (/\d/.test(text) && around && !around.closest(apart))
      stray.push(`${dataOf(around).panel ?? 'page'}: ${text}`);
  }
  return { shown, panels: [...new Set(panels)], stray };
}

export const contentOf = (page: Page): Promise<PageContent> => page.evaluate(read);
