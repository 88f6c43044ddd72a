import type { RunRecord } from '@verbslab/protocol';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../src/labs/catalogue';
import { filledColumns, runColumns } from '../src/runs/columns';
import { parameterText } from '../src/runs/parameters';
import { RunRow } from '../src/runs/run-row';
import { record } from './stream';

const program = record({
  number: 3,
  lab: 'program',
  title: 'ib_write_bw -s 65536',
  state: 'done',
  parameters: { command: ['/usr/bin/ib_write_bw', '-s', '65536'] },
});
const bulk = record({ number: 4, lab: 'bulk', state: 'done', parameters: { depth: 8 } });

function row(run: RunRecord, full: boolean, beside: RunRecord[]): string {
  const all = runColumns(parameterText(CATALOGUE), () => null);
  const columns = filledColumns(all, [run, ...beside]);
  return renderToStaticMarkup(
    <table>
      <tbody>
        <RunRow run={run} columns={columns} current={false} ticked={false} full={full} />
      </tbody>
    </table>,
  );
}
/** What stands in the row itself, without what a hover shows. */
const texts = (html: string): string =>
  html.replace(/<span[^>]*popover[^>]*>.*?<\/span>/g, '').replace(/<[^>]*>/g, ' ');
const cells = (html: string): number =>
  [...html.matchAll(/<td(?:[^>]*colspan="(\d+)")?/gi)].reduce((n, [, span]) => n + Number(span ?? 1), 0);

describe('a row of the list of runs', () => {
  it('says the arguments of a program once', () => {
    for (const full of [true, false])
      expect(texts(row(program, full, [bulk])).match(/65536/g)).toHaveLength(1);
    // All of a command that is cut off comes up on hover.
    expect(row(program, true, [bulk]).match(/ib_write_bw -s 65536/g)).toHaveLength(2);
  });

  it('gives a program the columns of name and parameters, and as many cells as other rows have', () => {
    expect(row(program, true, [bulk])).toMatch(/colspan="2"/i);
    expect(cells(row(program, true, [bulk]))).toBe(cells(row(bulk, true, [program])));
    expect(row(program, true, [])).not.toMatch(/colspan/i);
    expect(texts(row(bulk, true, [program]))).toContain('depth 8');
  });
});
