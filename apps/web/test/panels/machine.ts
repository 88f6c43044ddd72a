/** The machine of a run, drawn from recorded runs. */
import { LABS } from '@verbslab/labs';
import { expect } from 'vitest';
import { RunModel } from '../../src/model/run-model';
import MachinePanel from '../../src/run/panels/machine';
import { recorded } from '../machine/recorded';
import { record, Stream } from '../stream';
import { draw, plain, rows, type PanelTests } from './case';

const labOf = (id: string) => LABS.find(({ description }) => description.id === id)!.description;
const texts = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`data-shows="${name}"[^>]*>(.*?)</(?:text|tspan|span|td)>`, 'gs'))].map(
    ([, inner]) => plain(inner!),
  );

/** A process with many QPs, as `ib_send_bw -q 1024` makes them. */
function many(qps: number): RunModel {
  const run = new RunModel(record({ lab: 'program' }));
  const s = new Stream();
  const made = (object: string, number: number, attrs: object) =>
    run.event(
      s.event({
        ...{ kind: 'object', phase: 'made', endpoint: 'pid 7', object, number, t: 1 },
        ...{ call: 'ibv_create', attrs: attrs as Record<string, number> },
      }),
    );
  made('PD', 1, {});
  made('CQ', 1, { cqe: 100 });
  for (let i = 0; i < qps; i++)
    made('QP', 17 + i, { type: 'RC', pd: 1, send_cq: 1, recv_cq: 1, max_send_wr: 4, max_recv_wr: 4 });
  return run;
}

export const MACHINE: Record<string, PanelTests> = {
  machine: {
    Content: MachinePanel,
    empty: {
      running: 'The processes and their verbs objects appear here as they are made.',
      done: 'No process opened an RDMA device.',
    },
    cases: {
      'draws both ends of a lab with objects, states and rings': () => {
        const html = draw(MachinePanel, recorded('minimal-flow'), { lab: labOf('minimal-flow') });
        expect(texts(html, 'machine-process')).toEqual(['Client', 'Server']);
        expect(texts(html, 'machine-state')).toEqual(['RTS', 'RTS']);
        expect(texts(html, 'machine-fill').every((text) => text === '0 / 16')).toBe(true);
        expect(html).toContain('aria-label="QP 0x001d9a of client, RC, state RTS, send queue: 0 of 16');
        expect(html).toContain('shared memory');
        // The Tab key stops once; the arrow keys do the rest.
        expect(html.match(/tabindex="0"[^>]*data-node|data-node[^>]*tabindex="0"/gi)).toHaveLength(1);
      },
      'says the same as a table': () => {
        const html = draw(MachinePanel, recorded('minimal-flow'), {
          lab: labOf('minimal-flow'),
          table: true,
        });
        expect(rows(html)).toContainEqual([
          'Client',
          'QP 0x001d9a RC',
          'PD 1',
          'RTS',
          'SQ 0 / 16, RQ 0 / 16',
        ]);
        expect(rows(html)).toHaveLength(11);
      },
      'opens one of several processes and folds the others': () => {
        const html = draw(MachinePanel, recorded('srq', { parameters: { clients: 4 } }), {
          lab: labOf('srq'),
        });
        expect(texts(html, 'machine-process').sort()).toEqual([
          ...['Client 1', 'Client 2', 'Client 3', 'Client 4', 'Server'],
        ]);
        expect(html).toContain('1 QP, 1 CQ, 1 MR; 1 connection to Server');
        expect(texts(html, 'machine-group')).toEqual(['4 QPs, 3 shown']);
      },
      'folds a thousand QPs': () => {
        const html = draw(MachinePanel, many(1024));
        expect(texts(html, 'machine-group')).toEqual(['1,024 QPs, 3 shown']);
        expect(html.match(/data-object="QP /g)).toHaveLength(3);
        const table = draw(MachinePanel, many(1024), { table: true });
        expect(plain(table)).toContain('The first 500 of 1,026 objects are listed.');
      },
    },
  },
};
