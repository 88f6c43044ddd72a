// Errors of other agents: pairing, and running on them.
import type { ErrorTable } from './entry.js';

export const peers = {
  BAD_JOIN_STRING: {
    http: 400,
    usage: true,
    message: 'This join string cannot be used: {detail}.',
    cure: '{hint}',
  },
  UNKNOWN_HOST: {
    http: 404,
    usage: true,
    message: 'There is no host “{host}”.',
    cure: 'Choose one of: {known}; `verbslab peers add` adds another.',
  },
  HOST_TAKEN: {
    http: 409,
    usage: true,
    message: 'A host named “{host}” already exists, at {address}.',
    cure: 'Remove the other first. If it is another agent, you can also choose another name for this one.',
  },
  PEER_ITSELF: {
    http: 409,
    usage: true,
    message: 'This is the join string of this agent itself.',
    cure: 'Use the one that the other host’s agent prints; your own devices are under “local”.',
  },
  PEER_UNREACHABLE: {
    http: 503,
    message: 'The agent at {address} does not answer: {detail}.',
    cure: 'Is it running (`verbslab agent --listen ADDRESS --allow-remote`), and does a firewall let TCP port {port} through?',
  },
  PEER_UNTRUSTED: {
    http: 502,
    message:
      'The agent at {address} is not the one that made the join string: its certificate has the fingerprint {found}, not {wanted}.',
    cure: 'If it was set up again, remove the host and add it with a new join string; if not, another program answers at this address.',
  },
  PEER_UNPINNED: {
    http: 502,
    message: 'The pairing with the agent at {address} has no certificate fingerprint.',
    cure: 'Remove the host, then add it with the join string that `verbslab peers invite` prints there.',
  },
  PEER_REFUSED: {
    http: 502,
    message: 'The agent at {address} rejected the secret of the join string.',
    cure: 'Its secret has changed: remove the host if it is listed, and add it with the join string that `verbslab peers invite` prints there.',
  },
  PEER_LOST: {
    http: 502,
    message:
      'The connection to the agent “{host}” was lost, which ended the endpoint “{endpoint}”: {detail}.',
    cure: 'Check on the Hosts page that it is back, then run the lab again; everything recorded until then is kept.',
  },
  AGENT_BROKEN: {
    http: 502,
    message: '{who} sent {detail}.',
    cure: 'Install the same version of Verbs Lab on both sides, and restart the agents. If it happens again, do not rely on what that agent says.',
  },
  PEER_INTERNAL: {
    http: 502,
    message: '{who} reported an internal error: {detail}',
    cure: 'Report it with the log of that agent.',
  },
  PEER_ONLY: {
    http: 403,
    message: 'Only another agent may send {type}.',
    cure: 'Start a run: the agent opens the endpoints that it needs.',
  },
  NOT_FOR_PEERS: {
    http: 403,
    message: 'Another agent may not send {type}.',
    cure: 'Use the dashboard of this agent, or the `verbslab` command on its host.',
  },
  NO_PEER_TOKEN: {
    http: 409,
    message: 'The agent that is running is of an older version, which has no secret for join strings.',
    cure: 'Stop it, start it again with `verbslab up` or `verbslab agent`, and repeat the command.',
  },
  PROGRAM_ONLY: {
    http: 403,
    message: 'Only a program with the token may send {type}.',
    cure: 'Use the `verbslab` command.',
  },
  NETNS: {
    http: 500,
    message: 'The network namespace {netns} of the embedded device cannot be entered: {detail}.',
    cure: 'Set VERBSLAB_UROCE_NETNS to one that `ip netns` lists; the agent needs CAP_SYS_ADMIN to enter it.',
  },
} as const satisfies ErrorTable;
