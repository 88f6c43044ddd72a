import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const memoryWindowsParams = z.object({
  length: z.int().min(16).max(4096).default(1024).meta({
    title: 'Window length',
    description: 'How much of the region of 16 KiB a window opens. It begins at byte 4096.',
    unit: 'B',
  }),
  link: linkParam,
});

export type MemoryWindowsParams = z.output<typeof memoryWindowsParams>;
