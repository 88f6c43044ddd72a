import type { Action } from './types';

export const downloadSweep: Action = {
  name: 'download-sweep',
  label: 'Download the sweep as JSON',
  button: 'Download JSON',
  group: 'Run',
  keywords: 'export save file figures curves',
  predicate: (ctx) => ctx.page.downloadSweep !== undefined,
  perform: (ctx) => ctx.page.downloadSweep?.(),
};
