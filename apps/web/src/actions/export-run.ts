import { FORMAT_LIST } from '@verbslab/protocol/export-formats';
import type { Action } from './types';

/** One action for each format that the open run can be exported in. */
export const exportRun: readonly Action[] = FORMAT_LIST.map(({ id, title, opens }) => ({
  name: `export-${id}`,
  label: `Export as ${title}`,
  group: 'Run',
  keywords: `download save file ${opens.replaceAll('`', '')}${id === 'pcapng' ? ' capture pcap packets' : ''}`,
  predicate: (ctx) => ctx.page.exports?.[id] !== undefined,
  perform: (ctx) => ctx.page.exports?.[id]?.(),
}));
