import { cn } from './cn';

export type ProviderClass = 'hardware' | 'kernel' | 'user-space' | 'simulated' | 'unknown';

/** Word, sentence and pattern of each provider class: solid, outlined, dashed, hatched. */
export const PROVIDERS: Record<ProviderClass, { label: string; meaning: string; pattern: string }> = {
  hardware: {
    label: 'hardware',
    meaning: 'A NIC with RDMA in silicon: transport work costs the host no CPU.',
    pattern: 'border border-ink-2 bg-ink-2 text-page',
  },
  kernel: {
    label: 'kernel software',
    meaning: 'Software in the kernel (rxe, siw): the CPU does the NIC’s work there.',
    pattern: 'border border-ink-2 text-ink-2',
  },
  'user-space': {
    label: 'user-space software',
    meaning:
      'A software device inside your process: no RDMA card is needed. The packets are real RoCEv2; your CPU does the work of a NIC.',
    pattern: 'border border-dashed border-ink-2 text-ink-2',
  },
  simulated: {
    label: 'simulated',
    meaning: 'The real transport engine in virtual time. No packet left the machine.',
    pattern: 'hatched border border-line-strong text-ink-2',
  },
  unknown: {
    label: 'unknown provider',
    meaning: 'This version of Verbs Lab does not know what does the NIC’s work here.',
    pattern: 'border border-dotted border-line-strong text-ink-2',
  },
};

export function ProviderBadge({ provider, className }: { provider: ProviderClass; className?: string }) {
  const p = PROVIDERS[provider];
  return (
    <span
      title={p.meaning}
      data-provider={provider}
      data-shows="provider"
      className={cn(
        'inline-block shrink-0 rounded-[3px] px-1.5 text-12 whitespace-nowrap',
        p.pattern,
        className,
      )}
    >
      {p.label}
    </span>
  );
}
