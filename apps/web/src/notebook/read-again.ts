/** Most entries in one answer. */
const MOST = 200;

interface Page<T> {
  notes: T[];
  more: boolean;
}

/**
 * Reads as many entries as are shown, page by page: a list that is read again after a change must not
 * become shorter under the reader.
 */
export async function readAgain<T, P extends Page<T>>(
  ask: (limit: number, before: string | undefined) => Promise<P>,
  idOf: (entry: T) => string,
  shown: number,
): Promise<P> {
  let page = await ask(Math.min(MOST, shown), undefined);
  let { notes } = page;
  while (page.more && notes.length < shown) {
    page = await ask(Math.min(MOST, shown - notes.length), idOf(notes.at(-1)!));
    notes = [...notes, ...page.notes];
  }
  return { ...page, notes };
}
