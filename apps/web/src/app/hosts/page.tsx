import type { Metadata } from 'next';
import { HostsPage } from '../../hosts/hosts-page';

export const metadata: Metadata = { title: 'Hosts' };

export default function Page() {
  return <HostsPage />;
}
