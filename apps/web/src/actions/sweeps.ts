import { offered } from './offer';

/** A sweep of runs. */
export const SWEEP = offered('Run', {
  'start-sweep': { label: 'Start sweep', keywords: 'parameters values grid curve' },
  'pause-sweep': { label: 'Pause the sweep', button: 'Pause', keywords: 'hold stop wait' },
  'resume-sweep': { label: 'Resume the sweep', button: 'Resume', keywords: 'continue go on' },
  'cancel-sweep': { label: 'Cancel the sweep', button: 'Cancel', keywords: 'stop abort end' },
  'download-sweep': {
    label: 'Download the sweep as JSON',
    button: 'Download JSON',
    keywords: 'export save file figures curves',
  },
});
