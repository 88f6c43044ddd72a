import type { Metadata } from 'next';
import { Suspense } from 'react';
import { NotebookPage } from '../../notebook/notebook-page';

export const metadata: Metadata = { title: 'Notebook' };

export default function Page() {
  return (
    <Suspense fallback={<h1 className="text-28 font-semibold">Notebook</h1>}>
      <NotebookPage />
    </Suspense>
  );
}
