// No schemas here: pages name hosts, and must not load a validator for it.

/** Name of the connected agent itself, in lists of hosts. */
export const LOCAL_HOST = 'local';
