import type { CounterReading } from './active-run.js';
import type { Place } from './place.js';
import type { HostedEndpoint } from '../endpoint/hosted-endpoint.js';

/** Asks each endpoint for the counters of its device. An endpoint that cannot answer has none. */
export const readCounters = (
  endpoints: ReadonlyMap<string, HostedEndpoint>,
  placeOf: (endpoint: string) => Place,
): Promise<CounterReading[]> =>
  Promise.all(
    [...endpoints].map(async ([endpoint, hosted]) => {
      const { host, device } = placeOf(endpoint);
      const values = hosted.has('counters')
        ? await hosted.call('counters', { when: 'sample', quiet: true }).then(
            (answer) => answer.values,
            () => null,
          )
        : null;
      const at = performance.now() / 1000;
      return { endpoint, host, device: device.name, providerClass: device.providerClass, at, values };
    }),
  );
