import { z } from 'zod';
import { defineLab } from '../../src/form/define.js';
import { formatBytes } from '../../src/base/format.js';
import { choiceCheck, numberCheck } from '../../src/form/self-checks.js';

const PAGE = 4096;

export default defineLab({
  id: 'example',
  title: 'Registering memory',
  question: 'Does registering a larger buffer take longer?',
  summary: 'Each worker registers buffers of growing size and measures how long each registration takes.',
  short: 'Example',
  why: 'A program that registers per message pays this every time.',
  buildsOn: ['minimal-flow'],
  picture: { sample: 'write', focus: ['client.memory', 'client.kernel'] },
  track: 'memory',
  minutes: 2,
  params: z.object({
    workers: z
      .int()
      .min(1)
      .max(8)
      .default(3)
      .meta({ title: 'Workers', description: 'Endpoints that register.' }),
    largest: z
      .int()
      .min(PAGE)
      .max(16 * 1024 * 1024)
      .default(1024 * 1024)
      .meta({ title: 'Largest buffer', description: 'Sizes grow up to it, by a factor of 4.', unit: 'B' }),
  }),
  roles: [
    { name: 'worker', title: 'Worker', text: 'Registers its own memory.', count: { param: 'workers' } },
  ],
  watch: ['verbs', 'checks'],
  results: {
    figures: [{ name: 'longest', label: 'Longest registration', unit: 'µs' }],
    tables: [
      {
        name: 'regions',
        label: 'Registrations',
        columns: [
          { name: 'worker', label: 'Worker' },
          { name: 'size', label: 'Size', unit: 'B' },
          { name: 'time', label: 'Time', unit: 'µs' },
        ],
      },
    ],
    curves: [
      {
        name: 'cost',
        label: 'Time of one registration',
        x: { label: 'Size', unit: 'B', log: true },
        y: { label: 'Time', unit: 'µs', log: true },
        series: [
          { name: 'first', label: 'First worker' },
          { name: 'others', label: 'Other workers' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'number',
      id: 'longest',
      text: 'How long does the longest registration take?',
      unit: 'µs',
      figure: 'longest',
    },
    {
      kind: 'choice',
      id: 'slower',
      text: 'Which registration takes longest?',
      options: [
        { id: 'smallest', text: 'That of the smallest buffer' },
        { id: 'largest', text: 'That of the largest buffer' },
        { id: 'between', text: 'One in between' },
      ],
    },
  ],
  variations: [{ name: 'alone', title: 'One worker', params: { workers: 1 } }],
  selfChecks: [
    numberCheck({
      id: 'pages',
      numbers: { mebibytes: [4, 16, 64] },
      text: ({ mebibytes }) =>
        `How many pages of 4 KiB does a NIC’s driver pin for a region of ${mebibytes} MiB?`,
      answer: ({ mebibytes }) => (mebibytes * 1024 * 1024) / PAGE,
      unit: 'pages',
      tolerance: 0,
      worked: ({ mebibytes }) => `${mebibytes} MiB / 4 KiB = ${mebibytes * 256} pages.`,
    }),
    choiceCheck({
      id: 'why-pin',
      text: 'Why are the pages pinned?',
      options: [
        { id: 'move', text: 'So that the kernel cannot move them while the device uses them' },
        { id: 'cache', text: 'So that they stay in the CPU’s cache' },
      ],
      answer: 'move',
      worked: 'The device has their physical addresses, so they must not change.',
    }),
  ],
  checks: [{ id: 'registered', text: 'Every buffer was registered.' }],
  async run(ctx) {
    let longest = { time: 0, size: 0 };
    let count = 0;
    for (const worker of ctx.endpoints('worker')) {
      const series = worker.name === 'worker-1' ? 'first' : 'others';
      const { pd } = await worker.call('allocPd', {});
      for (let size = PAGE; size <= ctx.params.largest; size *= 4) {
        ctx.calls(worker.name);
        const { mr } = await worker.call('regMr', { pd, length: size, access: ['LOCAL_WRITE'] });
        const call = ctx.calls(worker.name).find((one) => one.call === 'ibv_reg_mr');
        const time = call ? call.durationNs / 1000 : NaN;
        await worker.call('destroy', { what: 'mr', handle: mr });
        ctx.row('regions', { worker: worker.name, size, time });
        ctx.point('cost', { x: size, y: time, series });
        if (time > longest.time) longest = { time, size };
        count++;
      }
    }
    const { largest } = ctx.params;
    ctx.figure('longest', longest.time, { n: count });
    ctx.outcome(
      'slower',
      longest.size === PAGE ? 'smallest' : longest.size * 4 > largest ? 'largest' : 'between',
    );
    ctx.check('registered', count > 0, `${count} buffers were registered.`);
    ctx.answer(`The longest registration was that of ${formatBytes(longest.size)}.`);
  },
});
