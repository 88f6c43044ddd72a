import type { Metadata } from 'next';
import { CHECK_COUNTS, LISTINGS, MAP } from '../../labs/catalog';
import { LabCatalog } from '../../labs/lab-catalog';
import { LabMap } from '../../parts/labs/lab-map';

export const metadata: Metadata = { title: 'Labs' };

export default function Page() {
  return (
    <div className="max-w-[72rem]">
      <h1 className="text-28 font-semibold">Labs</h1>
      <p className="prose mt-2 mb-5 text-ink-2">
        Each lab asks one question and answers it with an experiment on your own hosts.
      </p>
      <LabCatalog labs={LISTINGS} checks={CHECK_COUNTS} map={<LabMap rows={MAP} />} />
    </div>
  );
}
