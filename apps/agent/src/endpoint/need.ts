import { AppError, CAPABILITY_TEXT, type Capability } from '@verbslab/protocol';
import type { Session } from './session.js';

/** Throws MISSING_CAPABILITY, with the reason if it is known. */
export function need(session: Session, capability: Capability): void {
  if (session.can(capability)) return;
  const why = session.lacks(capability);
  if (why) throw AppError.from({ code: 'MISSING_CAPABILITY', message: why.message, cure: why.cure });
  throw new AppError('MISSING_CAPABILITY', {
    lab: 'in progress',
    capability: CAPABILITY_TEXT[capability],
    device: session.context.device.name,
  });
}
