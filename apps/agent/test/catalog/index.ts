/** Facts that each lab of the catalog must find, by its id. */
import { AI_DATA } from './ai-data.js';
import { COMPLETIONS } from './completions.js';
import { CONNECTIONS } from './connections.js';
import { FABRIC_PATHS } from './fabric-paths.js';
import { FABRICS } from './fabrics.js';
import { FAILURES } from './failures.js';
import { FOUNDATIONS } from './foundations.js';
import type { Facts } from './found.js';
import { LOSS } from './loss.js';
import { MANY_HOSTS } from './many-hosts.js';
import { MEMORY } from './memory.js';
import { REMOTE_FUNCTIONS } from './remote-functions.js';
import { SOCKETS } from './sockets.js';
import { SWITCHES } from './switches.js';
import { VERBS } from './verbs.js';
import { WIRE } from './wire.js';
import { WHICH_VERB } from './which-verb.js';

export const FACTS: Readonly<Record<string, Facts>> = {
  ...FOUNDATIONS,
  ...VERBS,
  'which-verb': WHICH_VERB,
  ...REMOTE_FUNCTIONS,
  ...COMPLETIONS,
  ...MEMORY,
  ...SOCKETS,
  ...WIRE,
  ...CONNECTIONS,
  ...LOSS,
  ...MANY_HOSTS,
  ...FABRICS,
  ...SWITCHES,
  ...FABRIC_PATHS,
  ...AI_DATA,
  ...FAILURES,
};
