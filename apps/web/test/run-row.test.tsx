import { rowOf, type RunRecord } from '@verbslab/protocol';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { CATALOG } from '../src/labs/catalog';
import { filledColumns, runColumns, tableColumns } from '../src/runs/columns';
import { parameterText } from '../src/parts/run/parameters';
import { RunListItem, RunTableRow } from '../src/runs/run-row';
import { record } from './stream';

const program = record({
  number: 3,
  lab: 'program',
  title: 'ib_write_bw -s 65536',
  state: 'done',
  parameters: { command: ['/usr/bin/ib_write_bw', '-s', '65536'] },
});
const bulk = record({ number: 4, lab: 'bulk', state: 'done', parameters: { depth: 8 } });
const figures = {
  goodputGbps: 19.3,
  messagesPerSecond: 1,
  cpuSecondsPerGB: { app: 1, nic: null, kernel: 0.5 },
  latencyUs: null,
  bytes: 1,
  messages: 1,
  seconds: 1,
};
const measured = {
  ...bulk,
  result: {
    ...{ lab: 'bulk', state: 'done', provider: 'user-space', device: 'uroce0', parameters: {}, checks: [] },
    ...{ transports: { rdma: figures, tcp: { ...figures, goodputGbps: 7.25 } }, captureFile: null },
    answer: 'RDMA was 2.66× as fast.',
  },
} satisfies RunRecord;

function row(record: RunRecord, part: { table?: boolean; open?: boolean; beside?: RunRecord[] } = {}) {
  const { table = true, open = false, beside = [] } = part;
  const run = rowOf(record);
  const all = runColumns(CATALOG, parameterText(CATALOG), () => null);
  const filled = filledColumns(all, [run, ...beside]);
  const columns = tableColumns(filled, 80)!;
  const props = { run, columns, filled, current: false, ticked: false, open, onOpen: () => undefined };
  return renderToStaticMarkup(
    table ? (
      <table>
        <RunTableRow {...props} />
      </table>
    ) : (
      <ul>
        <RunListItem {...props} />
      </ul>
    ),
  );
}
/** Text in the row itself, without tooltips. */
const texts = (html: string): string =>
  html.replace(/<span[^>]*popover[^>]*>.*?<\/span>/g, '').replace(/<[^>]*>/g, ' ');
const cells = (html: string): number => [...html.matchAll(/<td/g)].length;

describe('a row of the list of runs', () => {
  it('says the arguments of a program once', () => {
    for (const table of [true, false])
      expect(texts(row(program, { table, beside: [bulk] })).match(/65536/g)).toHaveLength(1);
    // Hovering shows the whole of a command that is cut off.
    expect(row(program, { beside: [bulk] }).match(/ib_write_bw -s 65536/g)).toHaveLength(2);
  });

  it('has as many cells as other rows, and the parameters beside the name', () => {
    expect(cells(row(program, { beside: [bulk] }))).toBe(cells(row(bulk, { beside: [program] })));
    expect(texts(row(bulk, { beside: [program] }))).toContain('depth 8');
  });

  it('has one figure, and all of them in the details that it opens', () => {
    for (const table of [true, false]) {
      const closed = row(measured, { table });
      expect(texts(closed)).toContain('19.3');
      for (const more of ['7.25', '1.50', 'RDMA was']) expect(texts(closed)).not.toContain(more);
      expect(closed).toMatch(/aria-expanded="false"[^>]*aria-label="Details of run 4"/);
      const open = row(measured, { table, open: true });
      for (const more of ['7.25', '1.50', 'RDMA was 2.66× as fast.']) expect(texts(open)).toContain(more);
      const controls = /aria-controls="([^"]+)"/.exec(open)?.[1];
      expect(open).toContain(`id="${controls}"`);
    }
  });
});
