import { steadyDomain, type Domain, type SeriesView } from '@verbslab/charts/data';
import { useMemo } from 'react';
import { sig3 } from '../../format/number';
import type { CrosshairRow } from './crosshair';

/** Crosshair shared by all charts over run time. */
export const OVER_TIME = { group: 'run', by: 't', title: (row: CrosshairRow) => `${sig3(row.t)} s` };

/** The x axis of all charts over run time. */
export const useRunTime = (series: SeriesView, live: boolean): Domain =>
  useMemo(() => steadyDomain(series.domain, live), [series, live]);
