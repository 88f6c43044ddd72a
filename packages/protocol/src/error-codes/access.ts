// Errors of access to an agent.
import type { ErrorTable } from './entry.js';

export const access = {
  UNAUTHENTICATED: {
    http: 401,
    message: 'You are not signed in to this agent.',
    cure: 'Run `npx verbslab open` in the Verbs Lab folder on its host, and open the address that it prints.',
  },
  BAD_CODE: {
    http: 401,
    message:
      'This link has been used, is more than 15 minutes old, or is from before the agent’s last start.',
    cure: 'Run `npx verbslab open` in the Verbs Lab folder on the agent’s host for a new link.',
  },
  BAD_HOST: {
    http: 403,
    message: 'The Host header “{host}” is not a name of this agent.',
    cure: 'Use 127.0.0.1, localhost or [::1] with the agent’s port.',
  },
  BAD_ORIGIN: {
    http: 403,
    message: 'Pages of another origin (“{origin}”) cannot use this agent.',
    cure: 'Use the dashboard that this agent serves.',
  },
  NON_LOOPBACK_BIND: {
    http: 400,
    usage: true,
    message: 'The agent listens on this machine only; “{host}” would open it to the network.',
    cure: 'Leave --listen out, or add --allow-remote if you mean it.',
  },
} as const satisfies ErrorTable;
