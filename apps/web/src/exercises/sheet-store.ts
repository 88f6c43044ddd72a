/** The open worksheet. The browser keeps it, so that a reload loses nothing. */
import { EXERCISES, newWorksheet, readWorksheet, type Worksheet } from '@verbslab/labs/exercises';
import { create } from 'zustand';

const KEY = 'verbslab.worksheet';
/** Number of sheets: four digits are easy to pass on. */
const SHEETS = 9999;

interface SheetStore {
  /** Null until read from the browser's storage. */
  sheet: Worksheet | null;
  load: () => void;
  put: (sheet: Worksheet) => void;
  renew: (id: string) => void;
  give: (id: string, field: string, text: string) => void;
}

export const someSeed = (): number => 1 + (crypto.getRandomValues(new Uint32Array(1))[0]! % SHEETS);

/** A sheet of all exercises. */
export const sheetOf = (seed: number): Worksheet => newWorksheet(EXERCISES, seed);

/** Seed that all exercises of a sheet share; null if they differ. */
export function seedOf({ items }: Worksheet): number | null {
  const [first] = items;
  return first && items.every(({ seed }) => seed === first.seed) ? first.seed : null;
}

/** Reads the kept sheet. If the browser allows no storage, the sheet lives as long as its page. */
function kept(): Worksheet | null {
  try {
    const read = readWorksheet(localStorage.getItem(KEY) ?? '', EXERCISES);
    return 'sheet' in read ? read.sheet : null;
  } catch {
    return null;
  }
}

function keep(sheet: Worksheet): Worksheet {
  try {
    localStorage.setItem(KEY, JSON.stringify(sheet));
  } catch {
    // Without storage, the sheet is not kept but stays on the page.
  }
  return sheet;
}

export const useSheet = create<SheetStore>((set) => {
  const change = (id: string, to: (item: Worksheet['items'][number]) => Worksheet['items'][number]): void =>
    set(({ sheet }) =>
      sheet
        ? { sheet: keep({ ...sheet, items: sheet.items.map((one) => (one.id === id ? to(one) : one)) }) }
        : {},
    );
  return {
    sheet: null,
    load: () => set(({ sheet }) => ({ sheet: sheet ?? kept() ?? keep(sheetOf(someSeed())) })),
    put: (sheet) => set({ sheet: keep(sheet) }),
    renew: (id) => change(id, () => ({ id, seed: someSeed(), given: {} })),
    give: (id, field, text) => change(id, (one) => ({ ...one, given: { ...one.given, [field]: text } })),
  };
});
