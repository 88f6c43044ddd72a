/** Regions and requests of a stretch of a run, for a table: which memory there was, and which a request named. */
import { hex } from '../../format/number';
import { bookOf } from '../../model/machine/book';
import { isLive, type MachineObject } from '../../model/machine/object';
import type { RunModel } from '../../model/run-model';

export interface MemoryRow {
  id: string;
  endpoint: string;
  what: string;
  /** Key of the region or in the request; null if not recorded. */
  key: string | null;
  address: string | null;
  bytes: number;
  /** Access rights of a region; null for a request. */
  rights: string | null;
}

const hexOf = (n: number | null): string | null => (n === null || Number.isNaN(n) ? null : hex(n));

function rightsOf({ attrs }: MachineObject): string {
  const { access } = attrs;
  const list = Array.isArray(access) ? access.map(String) : [];
  return list.length === 0 ? 'local read' : list.join(', ');
}

/** `from` and `to`: nanoseconds since the run was created. */
export function memoryRows(run: RunModel, from: number, to: number): MemoryRow[] {
  const book = bookOf(run);
  const regions = book.objects.filter(
    (one) => one.kind === 'MR' && one.madeAt <= to && (isLive(one, from) || one.madeAt >= from),
  );
  const requests = book.objects
    .filter(({ kind }) => kind === 'QP')
    .flatMap((qp) => book.workOf(qp, 'SQ'))
    .filter(({ posted }) => posted >= from && posted <= to);
  return [
    ...regions.map((one): MemoryRow => ({
      id: one.id,
      endpoint: one.endpoint,
      what: 'region',
      key: hexOf(one.number),
      address: typeof one.attrs.addr === 'string' ? one.attrs.addr : null,
      bytes: Number(one.attrs.length ?? 0),
      rights: rightsOf(one),
    })),
    ...requests.flatMap((work): MemoryRow[] => {
      const row = (what: string, key: number | null, address: number | null): MemoryRow => ({
        ...{ id: `${work.seq} ${what}`, endpoint: work.endpoint, what },
        ...{ key: hexOf(key), address: hexOf(address), bytes: work.bytes, rights: null },
      });
      const local =
        work.lkey === null ? [] : [row(`${work.opcode}, its own memory`, work.lkey, work.localAddr)];
      const remote =
        work.rkey === null ? [] : [row(`${work.opcode}, the peer’s memory`, work.rkey, work.remoteAddr)];
      return [...local, ...remote];
    }),
  ];
}
