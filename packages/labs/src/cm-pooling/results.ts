import type { ResultSpecs } from '@verbslab/protocol';
import { POLICIES, POLICY_TITLES } from './policies.js';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'own-time',
      label: 'Request with a connection of its own',
      unit: 'µs',
      text: 'From the first call to the completion of the WRITE; median.',
    },
    {
      name: 'kept-time',
      label: 'Request over the kept connection',
      unit: 'µs',
      text: 'Median, without the first.',
    },
    {
      name: 'times-longer',
      label: 'How many times longer with a connection of its own',
      text: 'Ratio of the two medians.',
    },
    {
      name: 'first-time',
      label: 'First request over the kept connection',
      unit: 'µs',
      text: 'Includes connecting, and calls made one by one from another process.',
    },
    { name: 'cm-messages-own', label: 'CM messages with a connection per request' },
    { name: 'cm-messages-kept', label: 'CM messages with one connection' },
    ...POLICIES.flatMap((policy) => [
      { name: `${policy}-tries`, label: `Tries of all clients: ${POLICY_TITLES[policy].toLowerCase()}` },
      {
        name: `${policy}-back`,
        label: `Last client is back: ${POLICY_TITLES[policy].toLowerCase()}`,
        unit: 'ms',
        text: 'After the server listens again.',
      },
      {
        name: `${policy}-most`,
        label: `Most tries within 20 ms: ${POLICY_TITLES[policy].toLowerCase()}`,
        text: 'Of all clients, without the first try of each.',
      },
    ]),
  ],
  tables: [
    {
      name: 'policies',
      label: 'Reconnection by policy',
      text: 'During the outage, each try takes at least 75 ms on the embedded device.',
      columns: [
        { name: 'policy', label: 'Policy' },
        { name: 'pauses', label: 'Pauses' },
        { name: 'tries', label: 'Tries' },
        { name: 'most', label: 'Most within 20 ms, without first tries' },
        { name: 'first', label: 'First client is back', unit: 'ms' },
        { name: 'last', label: 'Last client is back', unit: 'ms' },
      ],
    },
  ],
  curves: [
    {
      name: 'tries',
      label: 'Tries of all clients',
      text: 'Each point is a try. The time begins when the server stops listening.',
      x: { label: 'Time', unit: 'ms' },
      y: { label: 'Tries so far' },
      series: POLICIES.map((policy) => ({ name: policy, label: POLICY_TITLES[policy] })),
    },
  ],
};
