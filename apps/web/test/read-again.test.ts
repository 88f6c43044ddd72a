import { expect, it } from 'vitest';
import { readAgain } from '../src/notebook/read-again';

const NOTES = Array.from({ length: 730 }, (_, index) => ({ id: `n${index}` }));

function asked() {
  const limits: number[] = [];
  const ask = (limit: number, before: string | undefined) => {
    limits.push(limit);
    const from = before === undefined ? 0 : NOTES.findIndex(({ id }) => id === before) + 1;
    const notes = NOTES.slice(from, from + limit);
    return Promise.resolve({ notes, more: from + limit < NOTES.length, total: NOTES.length });
  };
  return { limits, read: (shown: number) => readAgain(ask, ({ id }: { id: string }) => id, shown) };
}

it('reads a first page where nothing is shown yet', async () => {
  const { read, limits } = asked();
  expect((await read(50)).notes).toEqual(NOTES.slice(0, 50));
  expect(limits).toEqual([50]);
});

it('reads all that is shown after a change, and says how much there is', async () => {
  const { read, limits } = asked();
  expect(await read(450)).toEqual({ notes: NOTES.slice(0, 450), more: true, total: 730 });
  expect(limits).toEqual([200, 200, 50]);
});

it('ends where there are fewer than were shown', async () => {
  const { read } = asked();
  expect(await read(900)).toMatchObject({ notes: NOTES, more: false });
});
