import type { Metadata } from 'next';
import { ExercisesPage } from '../../../exercises/exercises-page';

export const metadata: Metadata = { title: 'Exercises' };

export default function Page() {
  return <ExercisesPage />;
}
