/** Edits of a packet as text, `bth.psn=+1; reth.rkey=0`, field by field. */
import { BadEdit, editParts, parseFieldEdits, type FieldEdits, type FieldGroup } from '@verbslab/protocol';
import type { Draft } from '../../model/fields';

/** Fields of the packet that is chosen in the form. */
export const groupsOf = ({ of, groups }: FieldEdits, draft: Draft): readonly FieldGroup[] =>
  groups[String(draft[of])] ?? [];

/** Error in the text; null if there is none. */
export function editFault(edits: FieldEdits, draft: Draft, text: string): string | null {
  const fields = groupsOf(edits, draft).flatMap((group) => group.fields);
  try {
    parseFieldEdits(text, fields, edits.titles[String(draft[edits.of])] ?? 'packet');
    return null;
  } catch (error) {
    if (!(error instanceof BadEdit)) throw error;
    return error.message;
  }
}

const nameOf = (part: string): string => (part.split('=')[0] ?? '').trim().toLowerCase();

/** Edits by field name in lower case. */
export const editsIn = (text: string): Map<string, string> =>
  new Map(
    editParts(text).map((part) => [
      nameOf(part),
      part.includes('=') ? part.slice(part.indexOf('=') + 1).trim() : '',
    ]),
  );

/** The text with a new edit of a field; an empty value removes the edit. */
export function withEdit(text: string, field: string, value: string): string {
  const parts = editParts(text);
  const at = parts.findIndex((part) => nameOf(part) === field.toLowerCase());
  const kept = value.trim() === '' ? [] : [`${field}=${value.trim()}`];
  return (at < 0 ? [...parts, ...kept] : [...parts.slice(0, at), ...kept, ...parts.slice(at + 1)]).join('; ');
}
