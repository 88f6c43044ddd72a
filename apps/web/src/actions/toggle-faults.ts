import { plain, type Action } from './types';

export const toggleFaults: Action = {
  name: 'toggle-faults',
  label: 'Loss and delay of this run',
  group: 'Run',
  keywords: 'faults inject drop delay jitter netem impair packets',
  keys: 'i',
  keyTest: plain('i'),
  predicate: (ctx) => ctx.page.toggleFaults !== undefined,
  perform: (ctx) => ctx.page.toggleFaults?.(),
};
