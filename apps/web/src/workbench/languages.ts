import type { WorkbenchLanguage } from '@verbslab/protocol';

export const LANGUAGE_TITLE = {
  typescript: 'TypeScript',
  c: 'C',
} as const satisfies Readonly<Record<WorkbenchLanguage, string>>;
