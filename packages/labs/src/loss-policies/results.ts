import type { ResultSpecs } from '@verbslab/protocol';
import { RECOVERIES } from './formula.js';

const x = { label: 'Loss', unit: '%', log: true };
const SIMULATED = 'Simulated: mean of all seeds.';
const LIVE = 'Measured on the live device.';

/** The formula as a line, with the simulation and the live device as points of its color. */
const seenBeside = (like: (id: string) => string | undefined) =>
  RECOVERIES.flatMap(({ id, name }) => {
    const of = like(id);
    const color = of === undefined ? {} : { like: of };
    return [
      { name: id, label: `${name}, simulated`, drawn: 'points' as const, ...color },
      { name: `${id}-live`, label: `${name}, live`, drawn: 'points' as const, like: of ?? id },
    ];
  });

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'n', label: 'Goodput kept at 1 % loss, go-back-N', unit: '%', text: SIMULATED },
    { name: 'zero', label: 'Goodput kept at 1 % loss, go-back-0', unit: '%', text: SIMULATED },
    { name: 'selective', label: 'Goodput kept at 1 % loss, selective repeat', unit: '%', text: SIMULATED },
    { name: 'n-live', label: 'Goodput kept at 1 % loss, go-back-N, live', unit: '%', text: LIVE },
    { name: 'zero-live', label: 'Goodput kept at 1 % loss, go-back-0, live', unit: '%', text: LIVE },
    {
      name: 'selective-live',
      label: 'Goodput kept at 1 % loss, selective repeat, live',
      unit: '%',
      text: LIVE,
    },
    { name: 'n-some', label: 'Goodput kept at 0.1 % loss, go-back-N', unit: '%', text: SIMULATED },
    { name: 'n-again', label: 'Packets sent again per loss, go-back-N, 1 %', text: SIMULATED },
    { name: 'n-again-live', label: 'Packets sent again per loss, go-back-N, 1 %, live', text: LIVE },
    { name: 'selective-again', label: 'Packets sent again per loss, selective repeat, 1 %', text: SIMULATED },
    {
      name: 'residual',
      label: 'Largest residual, simulated',
      unit: '%',
      text: 'Simulated / formula − 1, where it is farthest from 0.',
    },
    {
      name: 'residual-live',
      label: 'Largest residual, live',
      unit: '%',
      text: 'Live / formula − 1, where it is farthest from 0.',
    },
  ],
  tables: [
    {
      name: 'points',
      label: 'Simulated and live',
      text: 'Simulated: means of all seeds. Residual: simulated or live / formula − 1.',
      columns: [
        { name: 'recovery', label: 'Recovery' },
        { name: 'loss', label: 'Loss', unit: '%' },
        { name: 'formula', label: 'Formula', unit: '%' },
        { name: 'kept', label: 'Simulated', unit: '%' },
        { name: 'residual', label: 'Residual', unit: '%' },
        { name: 'live', label: 'Live', unit: '%' },
        { name: 'live-residual', label: 'Residual, live', unit: '%' },
        { name: 'again', label: 'Sent again per loss' },
        { name: 'live-again', label: 'The same, live' },
        { name: 'timeouts', label: 'Timeouts' },
        { name: 'live-timeouts', label: 'Timeouts, live' },
      ],
    },
  ],
  curves: [
    {
      name: 'kept',
      label: 'Goodput kept over loss',
      text: 'Lines: formulas. Circles: simulated. Squares: the live device.',
      x,
      y: { label: 'Share of the full goodput', unit: '%' },
      series: [
        ...RECOVERIES.map(({ id, name }) => ({
          name: `${id}-formula`,
          label: `${name}, formula`,
          drawn: 'line' as const,
        })),
        ...seenBeside((id) => `${id}-formula`),
      ],
    },
    {
      name: 'residuals',
      label: 'Residual: simulated or live / formula − 1',
      x,
      y: { label: 'Residual', unit: '%' },
      series: seenBeside(() => undefined),
    },
    {
      name: 'again',
      label: 'Packets sent again per loss',
      x,
      y: { label: 'Packets', log: true },
      series: seenBeside(() => undefined),
    },
  ],
};
