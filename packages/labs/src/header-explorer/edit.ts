/** The edits of a packet, each with its field. */
import { parseFieldEdits, type FieldEdit } from '@verbslab/protocol';
import { editableOf, PACKET_TITLES, type Editable, type PacketKind } from './fields.js';

export interface Edit extends FieldEdit {
  field: Editable;
}

/** @throws BadEdit */
export function parseEdits(text: string, kind: PacketKind): Edit[] {
  const fields = editableOf(kind);
  return parseFieldEdits(text, fields, PACKET_TITLES[kind]).map((edit) => ({
    ...edit,
    field: fields.find(({ name }) => name === edit.name)!,
  }));
}
