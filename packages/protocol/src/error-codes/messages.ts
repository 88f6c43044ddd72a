// Errors of messages and requests without the documented form.
import type { ErrorTable } from './entry.js';

export const messages = {
  BAD_JSON: {
    http: 400,
    message: 'The message is not JSON: {detail}.',
    cure: 'Send one JSON object per frame.',
  },
  TOO_DEEP: {
    http: 400,
    message: 'The message nests arrays and objects more than {limit} levels deep.',
    cure: 'Send flatter values; no lab parameter needs that many levels.',
  },
  BAD_MESSAGE: {
    http: 400,
    message: 'The message does not have the documented form: {detail}.',
    cure: 'See docs/protocol.md for every message.',
  },
  BAD_FRAME: {
    http: 400,
    message: 'The binary frame does not have the documented form: {detail}.',
    cure: 'Send frames only for a run that this connection feeds; see docs/protocol.md.',
  },
  TOO_LARGE: {
    http: 413,
    message: 'The message is larger than {limit} bytes.',
    cure: 'Send less at a time.',
  },
  UNKNOWN_MESSAGE: {
    http: 400,
    message: 'There is no message of type “{type}”.',
    cure: 'See docs/protocol.md for every message.',
  },
  PROTOCOL_VERSION: {
    http: 409,
    message: 'The client speaks protocol {theirs}, the agent {ours}.',
    cure: 'Reload the page, or install the same version of Verbs Lab on both machines and restart both agents.',
  },
  AGENT_PROTOCOL: {
    http: 502,
    message: 'The agent at {url} speaks protocol {theirs}, and this side speaks protocol {ours}.',
    cure: 'Install the same version of Verbs Lab on both sides and restart both agents.',
  },
  NO_ANSWER: {
    http: 504,
    message: 'The agent at {url} did not answer `{type}` within {seconds} s.',
    cure: 'Try again; the machine may be overloaded. If it happens again, restart the agent.',
  },
  HELLO_FIRST: {
    http: 409,
    message: 'The first message on a connection must be `hello`, not {type}.',
    cure: 'Send `hello` with the protocol version; see docs/protocol.md.',
  },
  HELLO_TWICE: {
    http: 409,
    message: '`hello` was sent a second time on one connection.',
    cure: 'Open another connection.',
  },
  NOT_FOUND: {
    http: 404,
    message: 'There is nothing at {path}.',
    cure: 'Go to the dashboard; `npx verbslab open` in the Verbs Lab folder opens it.',
  },
  METHOD_NOT_ALLOWED: {
    http: 405,
    message: 'The method {method} is not allowed at {path}.',
    cure: 'Use {allowed}.',
  },
} as const satisfies ErrorTable;
