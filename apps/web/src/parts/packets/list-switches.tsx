import type { ReactNode } from 'react';
import { Button, PRESSED } from '../../ui/button';
import { changeListSettings, useListSettings } from './list-settings';

/** Switches for what the PSN and time columns count from. */
export function ListSwitches() {
  const { psn, time } = useListSettings();
  return (
    <>
      <Switch
        on={psn === 'relative'}
        title="Count PSNs from the first request of the requester in this capture"
        onSwitch={(on) => changeListSettings({ psn: on ? 'relative' : 'raw' })}
      >
        Relative PSN
      </Switch>
      <Switch
        on={time === 'previous'}
        title="Show the time since the previous packet in the list"
        onSwitch={(on) => changeListSettings({ time: on ? 'previous' : 'first' })}
      >
        Δ time
      </Switch>
    </>
  );
}

function Switch(props: { on: boolean; title: string; onSwitch: (on: boolean) => void; children: ReactNode }) {
  const { on, title, onSwitch, children } = props;
  return (
    <Button
      size="small"
      shape="tight"
      aria-pressed={on}
      className={PRESSED}
      title={title}
      onClick={() => onSwitch(!on)}
    >
      {children}
    </Button>
  );
}
