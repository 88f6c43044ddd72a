/** Errors on purpose whose number only the procedure knows; see `intends` for the others. */
import type { Intended, LabContext } from '@verbslab/protocol';
import { REM_ACCESS_ERR } from './wc-statuses.js';

type Context = Pick<LabContext<unknown>, 'emit'>;

/** Announces what the lab is about to cause, so that it is no problem of the run. */
export const intend = (ctx: Context, ...refusals: Intended[]): void =>
  ctx.emit({ kind: 'intended', refusals });

/** Announces a request of the client that the server’s device refuses. */
export const intendRefusedAccess = (ctx: Context): void =>
  intend(
    ctx,
    { role: 'client', most: 1, statuses: [REM_ACCESS_ERR] },
    { role: 'server', most: 1, events: ['QP_ACCESS_ERR'] },
  );
