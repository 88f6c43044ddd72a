import { readToken } from '../config/token.js';
import type { Home } from '../config/home.js';
import type { InstanceState } from '../config/instance.js';
import type { AgentAddress } from './client.js';

/** The address and token of the running agent, for a program of this user. */
export const addressOf = ({ host, port, fingerprint }: InstanceState, home: Home): AgentAddress => ({
  host,
  port,
  fingerprint,
  token: readToken(home.token),
});
