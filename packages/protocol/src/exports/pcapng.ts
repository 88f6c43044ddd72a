import type { ExportFormat } from './format.js';
import { FORMATS } from './formats.js';

export const pcapng: ExportFormat = {
  ...FORMATS.pcapng,
  write: ({ capture }) => capture(),
};
