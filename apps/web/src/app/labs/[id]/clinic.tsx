'use client';
import { useSearchParams } from 'next/navigation';
import { Suspense } from 'react';
import { lazyPart } from '../../../connection/lazy-part';
import type { ClinicPageProps } from '../../../labs/clinic/clinic-page';
import type { LabPageProps } from '../../../labs/lab-page';
import { LAB_PARTS } from '../../lab-parts';
import { Lab } from './lab';

// The page of every lab has this file.
const ClinicPage = lazyPart<ClinicPageProps>(
  async () => (await import('../../../labs/clinic/clinic-page')).ClinicPage,
);

type ClinicProps = Omit<LabPageProps & ClinicPageProps, 'parts'>;

/** The clinic as a game. An address with a run or parameters shows these, as in other labs. */
export function Clinic(props: ClinicProps) {
  return (
    <Suspense fallback={<ClinicPage {...props} parts={LAB_PARTS} />}>
      <Asked {...props} />
    </Suspense>
  );
}

function Asked(props: ClinicProps) {
  const asked = useSearchParams().size > 0;
  return asked ? <Lab {...props} /> : <ClinicPage {...props} parts={LAB_PARTS} />;
}
