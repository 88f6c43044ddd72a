import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  headline: { table: 'orders', columns: ['order', 'looks', 'torn'] },
  figures: [
    {
      name: 'torn-watermark-first',
      label: 'Looks at a torn row, watermark first',
      text: 'The watermark allowed a row of which only a part had been written.',
    },
    { name: 'torn-row-first', label: 'Looks at a torn row, row first' },
    { name: 'torn-ignoring', label: 'Looks at a torn row, watermark ignored' },
    {
      name: 'placed',
      label: 'Bytes of one WRITE that a READ found halfway',
      unit: 'B',
      text: 'The writer’s device dropped all packets but the first until then.',
    },
    {
      name: 'waited',
      label: 'Row and watermark, each completion awaited',
      unit: 'µs',
      text: 'Median, from the first post to the second completion. The row is one WRITE.',
    },
    {
      name: 'together',
      label: 'Row and watermark, posted one after the other',
      unit: 'µs',
      text: 'Median, from the first post to the second completion. The row is one WRITE.',
    },
  ],
  tables: [
    {
      name: 'orders',
      label: 'What the reader took',
      text: 'Torn: a part of the row was written. Not there: none of it.',
      columns: [
        { name: 'order', label: 'Order' },
        { name: 'looks', label: 'Looks' },
        { name: 'none', label: 'No row allowed yet' },
        { name: 'complete', label: 'Complete' },
        { name: 'torn', label: 'Torn' },
        { name: 'missing', label: 'Not there' },
      ],
    },
    {
      name: 'story',
      label: 'Epoch 2, step by step',
      columns: [
        { name: 'order', label: 'Order' },
        { name: 'step', label: 'The writer’s step' },
        { name: 'watermark', label: 'Watermark' },
        { name: 'row', label: 'Row that the reader takes' },
        { name: 'state', label: 'State of that row' },
      ],
    },
  ],
};
