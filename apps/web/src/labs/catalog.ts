import { LABS } from '@verbslab/labs';
import type { LabDescription } from '@verbslab/protocol';
import type { LabListing } from '../model/catalog-search';
import { mapOf, type MapRow } from '../model/lab-map';
import type { CheckCounts } from '../model/progress';

/** Descriptions of all labs, read when the pages are built; procedures stay with the agent. */
export const CATALOG: readonly LabDescription[] = LABS.map((lab) => lab.description);

/** Number of self-checks of each lab, by its id. */
export const CHECK_COUNTS: CheckCounts = Object.fromEntries(
  LABS.map((lab) => [lab.description.id, lab.selfChecks.length]),
);

/** Descriptions of all labs for the catalog, which shows and searches a tenth of each. */
export const LISTINGS: readonly LabListing[] = CATALOG.map(
  ({ id, title, question, summary, track, minutes, needs, variations = [] }) => ({
    ...{ id, title, question, summary, needs },
    ...(track === undefined ? {} : { track }),
    ...(minutes === undefined ? {} : { minutes }),
    variations: variations.map((one) => ({ title: one.title })),
  }),
);

/** All labs as the map draws them. */
export const MAP: readonly MapRow[] = mapOf(CATALOG);
