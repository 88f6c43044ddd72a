import { FORMAT_LIST, type FORMATS } from '@verbslab/protocol/export-formats';
import { offered } from './offer';

type ExportName = `export-${keyof typeof FORMATS}`;

/** A run, from its start to its end. */
export const RUN = offered('Run', {
  'run-lab': { label: 'Run', keywords: 'start go again measure', key: 'r' },
  'next-step': { label: 'Next step', keywords: 'step forward single', key: 'n' },
  'all-steps': { label: 'Run the rest of the steps', keywords: 'step finish remaining run all', key: 'a' },
  'cancel-run': { label: 'Cancel this run', keywords: 'stop abort end', key: 'Escape' },
  'toggle-faults': {
    label: 'Loss and delay of this run',
    keywords: 'faults inject drop delay jitter netem impair packets',
    key: 'i',
  },
  'join-run': {
    label: 'Join this run with another',
    keywords: 'merge client server peer one timeline both ends',
  },
  'separate-run': { label: 'Separate this run into its parts', keywords: 'split unjoin undo join' },
});

/** What a run of `verbslab sim` has. */
export const SIMULATION = offered('Run', {
  'save-scenario': { label: 'Save the scenario', keywords: 'simulation sim json file download' },
});

/** Actions that export the open run, one per format. */
export const EXPORTS = offered(
  'Run',
  Object.fromEntries(
    FORMAT_LIST.map(({ id, title, opens }) => [
      `export-${id}`,
      {
        label: `Export as ${title}`,
        keywords: `download save file ${opens.replaceAll('`', '')}${id === 'pcapng' ? ' capture pcap packets' : ''}`,
      },
    ]),
  ) as Record<ExportName, { label: string; keywords: string }>,
);

/** Actions for the record of a run: notes on it, and captures in files. */
export const RECORD = offered('Run', {
  'write-note': { label: 'Write a note', keywords: 'note notebook markdown comment remark', key: 'w' },
  'open-file': { label: 'Open a capture file', keywords: 'pcap pcapng packets load', key: 'o' },
});
