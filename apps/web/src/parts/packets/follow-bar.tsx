import { Button } from '../../ui/button';
import type { Follow } from '../../model/packet-rows';

/** Lists the packets that the chosen one belongs to. */
export function FollowBar({
  follow: { connection, message },
  onFilter,
}: {
  follow: Follow;
  onFilter: (filter: string) => void;
}) {
  if (connection === null && message === null) return null;
  return (
    <div role="group" aria-label="Follow" className="ml-auto flex flex-wrap items-center gap-x-1 px-2">
      {connection === null ? null : (
        <Button kind="quiet" size="small" onClick={() => onFilter(connection)}>
          Follow QP
        </Button>
      )}
      {message === null ? null : (
        <Button kind="quiet" size="small" onClick={() => onFilter(message)}>
          Follow message
        </Button>
      )}
    </div>
  );
}
