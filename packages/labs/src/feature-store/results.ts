import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'torn-watermark-first',
      label: 'Torn rows, watermark first',
      text: 'Rows that the watermark allowed, of which only a part had been written.',
    },
    { name: 'torn-row-first', label: 'Torn rows, row first' },
    { name: 'torn-ignoring', label: 'Torn rows, watermark ignored' },
    {
      name: 'placed',
      label: 'Bytes of one WRITE that a READ found halfway',
      unit: 'B',
      text: 'The lab held all packets but the first one back.',
    },
    {
      name: 'waited',
      label: 'Row and watermark, each completion awaited',
      unit: 'µs',
      text: 'Median, from the first post to the completion of the second WRITE.',
    },
    {
      name: 'together',
      label: 'Row and watermark, posted one after the other',
      unit: 'µs',
      text: 'Median, from the first post to the completion of the second WRITE.',
    },
  ],
  tables: [
    {
      name: 'orders',
      label: 'What the reader took',
      text: 'It looked after every WRITE of the writer.',
      columns: [
        { name: 'order', label: 'Order' },
        { name: 'looks', label: 'Looks' },
        { name: 'none', label: 'No row allowed yet' },
        { name: 'complete', label: 'Complete rows' },
        { name: 'torn', label: 'Torn rows' },
        { name: 'missing', label: 'Rows not there' },
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
        { name: 'state', label: 'It is' },
      ],
    },
  ],
};
