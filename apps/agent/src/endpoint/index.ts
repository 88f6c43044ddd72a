export { spawnEndpoint, type SpawnEndpointOptions } from './spawn.js';
