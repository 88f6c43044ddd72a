import { apr, drep, dreq, ipCm, lap, mra, rej, rep, req, rtu, sidrRep, sidrReq } from '../cm/index.js';
import type { AnyField, FieldTable, Header } from '../base/header.js';
import * as headers from '../headers/index.js';

/** An entry of the glossary of fields. */
export interface FieldDoc {
  name: string;
  label: string;
  /** Title of the field's header. */
  header: string;
  inWireshark: boolean;
  doc: string;
}

type AnyHeader = Pick<Header<FieldTable>, 'name' | 'title' | 'length' | 'fields'>;

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
  headers.xrceth,
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
  headers.loopback,
  headers.erf,
  headers.lrh,
  headers.pause,
  headers.pfc,
  headers.pppoe,
  headers.ppp,
  headers.mpls,
  headers.gre,
  headers.greChecksum,
  headers.greKey,
  headers.greSequence,
  headers.erspan2,
  headers.erspan3,
  headers.vxlan,
  headers.vxlanGpe,
  headers.geneve,
  headers.ipv6HopOptions,
  headers.ipv6Routing,
  headers.ipv6DestinationOptions,
  headers.ipv6Fragment,
];

let byName: Map<string, FieldDoc> | undefined;

/** The glossary entry of a field by its display-filter name, for hover text. */
export function fieldDoc(name: string): FieldDoc | undefined {
  return glossary().get(name);
}

/** All fields by name. A name that occurs in several headers keeps its first meaning. */
export function glossary(): ReadonlyMap<string, FieldDoc> {
  if (byName) return byName;
  byName = new Map();
  for (const header of allHeaders) {
    for (const { field } of everyField(header)) {
      const { name, label, doc, ours } = field.options;
      if (byName.has(name)) continue;
      byName.set(name, { name, label, header: header.title, inWireshark: !ours, doc });
    }
  }
  return byName;
}

export interface FieldOfHeader {
  field: AnyField;
  /** The header's field that this field is a part of; the field itself if it is not a part. */
  root: AnyField;
}

/** Fields of a header, and the parts that they may have. */
export function* everyField(header: AnyHeader): Generator<FieldOfHeader> {
  for (const root of Object.values(header.fields)) {
    const seen = new Set<string>();
    for (const sample of samples(header, root)) {
      for (const field of withParts(root, sample)) {
        if (seen.has(field.options.name)) continue;
        seen.add(field.options.name);
        yield { field, root };
      }
    }
  }
}

/** Sample headers that together show all parts of a field: the parts depend on the value. */
function* samples(header: AnyHeader, { offset, length }: AnyField): Generator<Uint8Array> {
  for (const fill of [0x00, 0x20, 0x40, 0x60]) yield new Uint8Array(header.length).fill(fill);
  const special = new Uint8Array(header.length);
  if (length === 16) special.fill(0xff, offset + 10, offset + 12); // a GID that holds an IPv4 address
  if (length === 8) special[offset + 4] = 1; // a service ID of the RDMA IP CM service
  yield special;
}

function* withParts(field: AnyField, sample: Uint8Array): Generator<AnyField> {
  yield field;
  for (const part of field.options.parts?.(field.read(sample, 0), sample, 0) ?? [])
    yield* withParts(part, sample);
}
