import {
  BOTH_LINKS_NAME,
  LINK_NAME,
  LINK_TEXT,
  PROVIDER_CLASS_NAME,
  type Link,
  type ProviderClass,
} from '@verbslab/protocol';
import { Badge } from './badge';
import { cn } from './cn';

/** Name, explanation and pattern of each provider class: solid, outlined, dashed, hatched. */
export const PROVIDERS: Record<ProviderClass, { label: string; meaning: string; pattern: string }> = {
  hardware: {
    label: PROVIDER_CLASS_NAME.hardware,
    meaning: 'A NIC with RDMA in silicon: transport work costs the host no CPU.',
    pattern: 'border border-ink-2 bg-ink-2 text-page',
  },
  kernel: {
    label: PROVIDER_CLASS_NAME.kernel,
    meaning: 'Software in the kernel (rxe, siw): the CPU does the NIC’s work there.',
    pattern: 'border border-ink-2 text-ink-2',
  },
  'user-space': {
    label: PROVIDER_CLASS_NAME['user-space'],
    meaning:
      'A software device inside your process: no RDMA card is needed. The packets are real RoCEv2; your CPU does the work of a NIC.',
    pattern: 'border border-dashed border-ink-2 text-ink-2',
  },
  simulated: {
    label: PROVIDER_CLASS_NAME.simulated,
    meaning: 'The real transport engine in virtual time. No packet left the machine.',
    pattern: 'hatched border border-line-strong text-ink-2',
  },
  unknown: {
    label: PROVIDER_CLASS_NAME.unknown,
    meaning: 'This version of Verbs Lab does not know what does the NIC’s work here.',
    pattern: 'border border-dotted border-line-strong text-ink-2',
  },
};

/**
 * Badge for the class that does the NIC's work, with the link that carries the packets if known. `explained`: keyboard
 * and touch also get the explanation. A page does so in a single place, so that not every badge is a tab stop.
 */
export function ProviderBadge(props: {
  provider: ProviderClass;
  link?: Link | undefined;
  explained?: boolean;
  className?: string | undefined;
}) {
  const { provider, explained = false, className } = props;
  const p = PROVIDERS[provider];
  // Only the embedded device has several links.
  const link = provider === 'user-space' ? props.link : undefined;
  const meaning = link ? `${p.meaning} ${LINK_TEXT[link]}` : p.meaning;
  const name = link ? LINK_NAME[link] : p.label;
  return (
    <Badge
      {...{ name, meaning, explained }}
      className={cn(p.pattern, className)}
      data={{ 'data-provider': provider, 'data-link': link, 'data-shows': 'provider' }}
    />
  );
}

/**
 * Badges, one per link that carried packets, or one without a link if none is known. `short`: a single badge for
 * several links.
 */
export function ProviderBadges(props: {
  provider: ProviderClass;
  links: readonly Link[] | undefined;
  short?: boolean;
  explained?: boolean;
  className?: string;
}) {
  const { provider, links = [], short = false, explained = false, className } = props;
  if (provider !== 'user-space' || links.length === 0)
    return <ProviderBadge {...{ provider, explained, className }} />;
  if (short && links.length > 1)
    return (
      <span
        title={links.map((link) => LINK_TEXT[link]).join(' ')}
        data-provider={provider}
        data-shows="provider"
        className={cn(
          'inline-block shrink-0 rounded-[3px] px-1.5 text-12 whitespace-nowrap',
          PROVIDERS[provider].pattern,
          className,
        )}
      >
        {BOTH_LINKS_NAME}
      </span>
    );
  return links.map((link) => <ProviderBadge key={link} {...{ provider, link, explained, className }} />);
}
