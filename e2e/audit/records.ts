// Lists of raw records that pages mark with data-records: the visible rows, to be compared one by one.
import type { Page } from '@playwright/test';
import type { Claim } from './claim.js';
import type { Evidence } from './evidence.js';
import { completionRows } from './roads/completions.js';
import { fieldRows, packetRows } from './roads/packets.js';
import { objectRows } from './roads/program.js';

export type Rows = readonly (readonly string[])[];
type Compare = (claim: Claim, evidence: Evidence, rows: Rows) => void;

/** Selectors of a row and of its cells, and the check, by name of the list. */
export const RECORDS: Readonly<Record<string, { row: string; cell: string; compare: Compare }>> = {
  completions: { row: '[role=row]', cell: '[role=cell]', compare: completionRows },
  packets: { row: '[role=row]', cell: '[role=gridcell]', compare: packetRows },
  objects: { row: 'li[data-object]', cell: ':scope > div > *', compare: objectRows },
  'packet-fields': { row: '[role=treeitem][aria-level="2"]', cell: ':scope > span', compare: fieldRows },
};

export interface List {
  name: string;
  data: Record<string, string>;
  rows: Rows;
}

export async function recordsOf(page: Page): Promise<List[]> {
  const lists: List[] = [];
  for (const list of await page.locator('main [data-records]').all()) {
    const name = (await list.getAttribute('data-records'))!;
    const { row = '', cell = '' } = RECORDS[name] ?? {};
    lists.push({
      name,
      ...(await list.evaluate(
        (element, [rowOf, cellOf]) => {
          const text = (each: Element) => each.textContent.replace(/[\s\u00a0]+/g, ' ').trim();
          const rows = rowOf === '' ? [] : [...element.querySelectorAll(rowOf)];
          const near = (key: string) => element.closest(`[data-${key}]`)?.getAttribute(`data-${key}`);
          return {
            data: { panel: near('panel') ?? '', packet: near('packet') ?? '' },
            rows: rows
              .map((each) => [...each.querySelectorAll(cellOf)].map(text))
              .filter((cells) => cells.length > 0),
          };
        },
        [row, cell] as const,
      )),
    });
  }
  return lists;
}
