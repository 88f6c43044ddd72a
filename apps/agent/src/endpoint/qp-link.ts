import type { Qp } from '@verbslab/verbs';
import { need } from './need.js';
import type { Session } from './session.js';

type Wanted = 'udp' | 'auto' | undefined;

/**
 * Checks the link before a queue pair is made. Throws MISSING_CAPABILITY if rings are requested and the device has one
 * link only.
 */
export function checkLink(session: Session, link: Wanted): void {
  if (link === 'auto') need(session, 'link');
}

/** Sets the link of a queue pair. The process may have rings; the queue pair uses them only on request. */
export function setLink(session: Session, qp: Qp, link: Wanted): void {
  if (session.can('link')) session.context.extensions.setQpLink(qp, link ?? 'udp');
}
