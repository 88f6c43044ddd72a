import { LOCAL_HOST } from '@verbslab/protocol';
import { LINK_MEDIUM } from '../../ui/link-medium';
import { PROVIDERS } from '../../ui/provider-badge';
import type { HostLink, HostNode } from './topology';

/** Names of the media that carry the packets of a link, or can carry them. */
export function mediumText({ provider, media }: HostLink): string {
  if (media.length > 0) return media.map((link) => LINK_MEDIUM[link]).join(', ');
  return provider === null
    ? 'no device'
    : provider === 'kernel'
      ? 'kernel (rxe, siw)'
      : PROVIDERS[provider].label;
}

export const isLoopback = ({ from, to }: HostLink): boolean => from === to;

/** Reason why a link shows no rates; null if it shows them. */
export function quietText(link: HostLink): string | null {
  if (link.to.state !== 'up') return link.to.state;
  if (link.runs.length === 0) return 'idle';
  return link.rates ? null : 'no rate yet';
}

/** Name of a host for readers: this host has the name of its machine. */
export const hostText = ({ name, agent }: HostNode): string =>
  name === LOCAL_HOST ? (agent?.host ?? 'This host') : name;
