import { Button } from '../../ui/button';
import { changeListSettings, useListSettings } from './list-settings';

/** Switches for what the PSN and time columns count from. */
export function ListSwitches() {
  const { psn, time } = useListSettings();
  const relative = psn === 'relative';
  const previous = time === 'previous';
  const look = 'aria-pressed:border-accent aria-pressed:bg-accent-wash';
  return (
    <>
      <Button
        size="small"
        shape="tight"
        aria-pressed={relative}
        className={look}
        title="Count PSNs from the first request of the requester in this capture"
        onClick={() => changeListSettings({ psn: relative ? 'raw' : 'relative' })}
      >
        Relative PSN
      </Button>
      <Button
        size="small"
        shape="tight"
        aria-pressed={previous}
        className={look}
        title="Show the time since the previous packet in the list"
        onClick={() => changeListSettings({ time: previous ? 'first' : 'previous' })}
      >
        Δ time
      </Button>
    </>
  );
}
