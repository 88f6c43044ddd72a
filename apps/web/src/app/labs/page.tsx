import type { Metadata } from 'next';
import { CHECK_COUNTS, LISTINGS } from '../../labs/catalogue';
import { LabCatalogue } from '../../labs/lab-catalogue';
import { PageLink } from '../../ui/page-link';

export const metadata: Metadata = { title: 'Labs' };

export default function Page() {
  return (
    <div className="max-w-[72rem]">
      <h1 className="text-28 font-semibold">Labs</h1>
      <p className="prose mt-2 mb-5 text-ink-2">
        Each lab asks one question and answers it with an experiment on your own hosts. Practice the
        calculations under{' '}
        <PageLink href="/labs/exercises" className="text-accent underline underline-offset-4">
          Exercises
        </PageLink>
        , compute with the figures of your runs under{' '}
        <PageLink href="/explanations" className="text-accent underline underline-offset-4">
          Explanations
        </PageLink>
        , run the RDMA programs of your distribution under{' '}
        <PageLink href="/tools" className="text-accent underline underline-offset-4">
          Tools
        </PageLink>
        , and write your own, task by task, in the{' '}
        <PageLink href="/workbench" className="text-accent underline underline-offset-4">
          Workbench
        </PageLink>
        .
      </p>
      <LabCatalogue labs={LISTINGS} checks={CHECK_COUNTS} />
    </div>
  );
}
