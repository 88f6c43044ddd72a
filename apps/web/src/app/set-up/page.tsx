import type { Metadata } from 'next';
import { SetUpPage } from '../../setup/set-up-page';

export const metadata: Metadata = { title: 'Set up two machines' };

export default function Page() {
  return <SetUpPage />;
}
