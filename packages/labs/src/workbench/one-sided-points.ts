/** Points of a READ or a WRITE: where it goes, and what its region allows. */
import type { MessageKind } from '@verbslab/roce';
import { atMessage, offsetFault, regionOf, rightsFault } from './message-points.js';
import { fault, type Point } from './point.js';

/** It begins at this offset, B, of the region. */
export const placePoint = (kind: MessageKind, offset: number): Point => ({
  id: 'place',
  text: `It begins at offset ${offset} of the server’s region`,
  look: atMessage(kind, (message, recording) => offsetFault(recording, message, offset)),
});

/** Of the remote rights, its region has this one alone. */
export const rightsPoint = (kind: MessageKind, right: string): Point => ({
  id: 'rights',
  text: `Of the remote rights, the server’s region allows ${right} alone`,
  look: atMessage(kind, (message, recording) => {
    const region = regionOf(recording, message);
    return region ? rightsFault(region, right) : fault('Its address is in no region of this program.');
  }),
});
