// Without schemas: pages name hosts, and must not load a validator for it.

/** The name of the agent that one is talking to, where hosts are named. */
export const LOCAL_HOST = 'local';
