import type { Metadata } from 'next';
import { ExplanationsPage } from '../../explanations/explanations-page';

export const metadata: Metadata = { title: 'Explanations' };

export default function Page() {
  return <ExplanationsPage />;
}
