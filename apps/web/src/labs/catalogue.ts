import { LABS } from '@verbslab/labs';
import type { LabDescription } from '@verbslab/protocol';

/** Descriptions of all labs, read when the pages are built; procedures stay with the agent. */
export const CATALOGUE: readonly LabDescription[] = LABS.map((lab) => lab.description);
