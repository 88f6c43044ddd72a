import { count } from '../../format/number';
import { Button } from '../../ui/button';

/** Both ends were captured, so that packets are there twice: says how many are listed once, and offers the arrivals too. */
export function Arrivals(props: { all: number; once: number; shown: boolean; onToggle: () => void }) {
  const { all, once, shown, onToggle } = props;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-13 text-ink-2">
      <span data-shows="arrivals">
        {shown
          ? `All ${count(all)} records: ${count(once)} packets, and ${count(all - once)} of them again as they arrived.`
          : `${count(once)} packets, each listed once. ${count(all - once)} of them were captured twice: as they were sent and as they arrived.`}
      </span>
      <Button kind="quiet" size="small" shape="tight" aria-pressed={shown} onClick={onToggle}>
        {shown ? 'Hide arrivals' : 'Show arrivals'}
      </Button>
    </p>
  );
}
