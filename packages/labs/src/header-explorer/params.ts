import { BadEdit, type FieldEdits } from '@verbslab/protocol';
import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';
import { parseEdits } from './edit.js';
import { headersOf, PACKET_TITLES, PACKETS } from './fields.js';

/** Fields of each packet for the form, with their meaning and range. Plain JSON. */
const FIELD_EDITS: FieldEdits = {
  of: 'packet',
  titles: PACKET_TITLES,
  groups: Object.fromEntries(
    PACKETS.map((packet) => [
      packet,
      headersOf(packet).map(({ title, fields }) => ({
        title,
        fields: fields.map(({ at: _, ...field }) => field),
      })),
    ]),
  ),
};

export const headerExplorerParams = z
  .object({
    packet: z.enum(PACKETS).default('write').meta({
      title: 'Your packet',
      description: 'The request of this run that you edit.',
      choiceTitles: PACKET_TITLES,
    }),
    edit: z.string().max(1000).default('bth.psn=+1').meta({
      title: 'Your edit',
      description:
        'What to change: field=value, field=+number, field=-number, or field=^bits to flip. Separate several by “;”. The ICRC is computed again, unless you edit it. Empty: the packet as it is.',
      fieldEdits: FIELD_EDITS,
    }),
    link: linkParam,
  })
  .superRefine(({ packet, edit }, context) => {
    try {
      parseEdits(edit, packet);
    } catch (error) {
      if (!(error instanceof BadEdit)) throw error;
      context.addIssue({ code: 'custom', path: ['edit'], message: error.message });
    }
  });

export type HeaderExplorerParams = z.output<typeof headerExplorerParams>;
