/** `verbslab exercises`: the list, sheets to fill in, their answers, and the grading of one that was filled in. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXERCISES, type Worksheet } from '@verbslab/labs/exercises';
import { afterAll, describe, expect, it } from 'vitest';
import { verbslab } from './helpers/cli.js';

interface Sheet extends Worksheet {
  exercises: { id: string; text: string; fields: { id: string; kind: string; answer?: number | string }[] }[];
}

const home = mkdtempSync(join(tmpdir(), 'verbslab-exercises-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const exercises = (...args: string[]) => verbslab(home, ['exercises', ...args]);
const sheetOf = async (...args: string[]) => JSON.parse((await exercises(...args, '--json')).out) as Sheet;

function save(value: unknown): string {
  const file = join(home, 'sheet.json');
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}

describe('verbslab exercises', () => {
  it('lists every exercise, with the lab where it can be measured', async () => {
    const { out, code } = await exercises();
    expect(code).toBe(0);
    for (const { id, title } of EXERCISES)
      expect(out).toMatch(new RegExp(`^ +${id} +${title.replace('?', '\\?')}`, 'm'));
    expect(out).toMatch(/^ +translation-table .* registration-cost *$/m);
    const { groups } = JSON.parse((await exercises('--json')).out) as { groups: { exercises: unknown[] }[] };
    expect(groups.flatMap((group) => group.exercises)).toHaveLength(EXERCISES.length);
  });

  it('draws the same sheet for the same seed, and another one for another', async () => {
    const one = (await exercises('translation-table', 'psn-wrap', '--seed', '7')).out;
    expect(one).toContain('# RDMA exercises, sheet 7');
    expect(one).toContain('Pages: ____________');
    expect((await exercises('translation-table', 'psn-wrap', '--seed', '7')).out).toBe(one);
    expect((await exercises('translation-table', 'psn-wrap', '--seed', '8')).out).not.toBe(one);
  });

  it('keeps the answers back until it is asked for them', async () => {
    const open = await sheetOf('immediate');
    expect(JSON.stringify(open)).not.toContain('answer');
    const solved = await sheetOf('immediate', '--solved');
    expect(solved.exercises[0]?.fields[0]?.answer).toMatch(/^00( [0-9a-f]{2}){3}$/);
    expect((await exercises('immediate', '--solved')).out).toContain(
      `**${solved.exercises[0]?.fields[0]?.answer}**`,
    );
  });

  it('says what is right in a sheet that was filled in', async () => {
    const solved = await sheetOf('--all', '--seed', '11', '--solved');
    const items = solved.exercises.map(({ id, fields }) => ({
      id,
      seed: 11,
      given: Object.fromEntries(fields.map((one) => [one.id, String(one.answer)])),
    }));
    const all = await exercises('--check', save({ ...solved, items }));
    expect(all.out).toContain(`${EXERCISES.length} of ${EXERCISES.length} exercises right.`);
    expect(all.code).toBe(0);

    items[0]!.given.pages = '1';
    items[1]!.given = {};
    const some = await exercises('--check', save({ ...solved, items }));
    expect(some.code).toBe(1);
    expect(some.out).toMatch(/^translation-table +Pages +wrong +1$/m);
    expect(some.out).toMatch(/^translation-cache .* open/m);
    expect(some.out).toContain(`${EXERCISES.length - 2} of ${EXERCISES.length} exercises right.`);
  });

  it('names what it cannot read, and why', async () => {
    const refused = async (...args: string[]) => {
      const { code, err } = await exercises(...args);
      expect(code).toBe(2);
      return err;
    };
    expect(await refused('nonsense')).toContain('There is no exercise “nonsense”.');
    expect(await refused('--check', save('{'))).toContain('The worksheet cannot be read: it is not JSON.');
    expect(await refused('--check', join(home, 'none.json'))).toContain('no such file');
    expect(await refused('immediate', '--seed', '-1')).toContain('whole number from 0');
  });
});
