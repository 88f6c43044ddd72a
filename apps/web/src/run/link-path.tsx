import { LINK_PATH, type Link, type Transport } from '@verbslab/protocol';

/** Below the name of a transport: what its link means. */
export function LinkPath({ transport, link }: { transport: Transport; link: Link | undefined }) {
  return link ? (
    <span className="block text-12 font-normal text-ink-3" data-shows="link-path" data-transport={transport}>
      {LINK_PATH[link]}
    </span>
  ) : null;
}
