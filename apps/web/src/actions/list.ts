import { offered } from './offer';

/** A list of runs, packets or notes. */
export const LIST = offered('List', {
  'next-item': { label: 'Next in the list', keywords: 'down select row', key: 'j' },
  'previous-item': { label: 'Previous in the list', keywords: 'up select row', key: 'k' },
  'select-item': { label: 'Select or deselect the run', keywords: 'tick mark check row', key: 'x' },
  'focus-filter': {
    label: 'Filter the list',
    keywords: 'search find display filter packets runs notes',
    key: '/',
  },
  'clear-filter': { label: 'Clear the filter', keywords: 'search all runs packets show reset' },
  'clear-selection': { label: 'Clear selection', keywords: 'untick none runs' },
  'compare-runs': {
    label: 'Compare runs',
    keywords: 'difference side by side against baseline diff selected this',
    key: 'c',
  },
  'delete-selected': { label: 'Delete the selected runs', keywords: 'remove discard history', key: 'Delete' },
  'import-run': { label: 'Import a run', keywords: 'bundle vlrun file upload open other host' },
});
