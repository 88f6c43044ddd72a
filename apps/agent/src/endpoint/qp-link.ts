import type { Qp } from '@verbslab/verbs';
import { need } from './need.js';
import type { Session } from './session.js';

type Wanted = 'udp' | 'auto' | undefined;

/** Before a queue pair is made: throws MISSING_CAPABILITY where its device has one link only. */
export function checkLink(session: Session, link: Wanted): void {
  if (link === 'auto') need(session, 'link');
}

/** The process may have rings; a queue pair uses them where that was asked for. */
export function setLink(session: Session, qp: Qp, link: Wanted): void {
  if (session.can('link')) session.context.extensions.setQpLink(qp, link ?? 'udp');
}
