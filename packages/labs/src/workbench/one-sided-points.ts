/** Points of a READ or a WRITE: its place in the server’s region, and the rights of the region. */
import type { MessageKind } from '@verbslab/roce';
import { atMessage, offsetFault, regionOf, rightsFault } from './message-points.js';
import { fault, type Point } from './point.js';

/** Point: the message begins at this offset of the region, bytes. */
export const placePoint = (kind: MessageKind, offset: number): Point => ({
  id: 'place',
  text: `It begins at offset ${offset} of the server’s region`,
  look: atMessage(kind, (message, recording) => offsetFault(recording, message, offset)),
});

/** Point: the region has this one of all remote rights, and no other. */
export const rightsPoint = (kind: MessageKind, right: string): Point => ({
  id: 'rights',
  text: `Of the remote rights, the server’s region allows ${right} alone`,
  look: atMessage(kind, (message, recording) => {
    const region = regionOf(recording, message);
    return region ? rightsFault(region, right) : fault('Its address is in no region of this program.');
  }),
});
