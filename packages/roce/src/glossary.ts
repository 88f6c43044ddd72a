import { apr, drep, dreq, ipCm, lap, mra, rej, rep, req, rtu, sidrRep, sidrReq } from './cm/index.js';
import type { AnyField, FieldTable, Header } from './header.js';
import * as headers from './headers/index.js';

/** One entry of the glossary of fields. */
export interface FieldDoc {
  name: string;
  label: string;
  /** Title of the header it belongs to. */
  header: string;
  inWireshark: boolean;
  doc: string;
}

type AnyHeader = Pick<Header<FieldTable>, 'title' | 'length' | 'fields'>;

/** Every header this package knows, from the link layer to the CM messages. */
export const allHeaders: readonly AnyHeader[] = [
  headers.ethernet,
  headers.vlan,
  headers.sll,
  headers.sll2,
  headers.ipv4,
  headers.ipv6,
  headers.grh,
  headers.udp,
  headers.tcp,
  headers.bth,
  headers.rdeth,
  headers.deth,
  headers.reth,
  headers.aeth,
  headers.immdt,
  headers.ieth,
  headers.feth,
  headers.atomiceth,
  headers.atomicacketh,
  headers.mad,
  req,
  rep,
  rtu,
  rej,
  dreq,
  drep,
  mra,
  lap,
  apr,
  sidrReq,
  sidrRep,
  ipCm,
];

let byName: Map<string, FieldDoc> | undefined;

/** What a field means, by its display-filter name; for hover text. */
export function fieldDoc(name: string): FieldDoc | undefined {
  return glossary().get(name);
}

/** All fields by name. A name that occurs in several headers keeps its first meaning. */
export function glossary(): ReadonlyMap<string, FieldDoc> {
  if (byName) return byName;
  byName = new Map();
  for (const header of allHeaders) {
    // Which parts a field has depends on its value: look at some that between them show all.
    for (const fill of [0x00, 0x20, 0x40, 0x60]) {
      const sample = new Uint8Array(header.length).fill(fill);
      for (const field of Object.values(header.fields)) add(byName, header, field, sample);
    }
  }
  return byName;
}

function add(into: Map<string, FieldDoc>, header: AnyHeader, field: AnyField, sample: Uint8Array): void {
  const { name, label, doc, ours, parts } = field.options;
  if (!into.has(name)) into.set(name, { name, label, header: header.title, inWireshark: !ours, doc });
  if (parts) for (const part of parts(field.read(sample, 0), sample, 0)) add(into, header, part, sample);
}
