import type { LabDescription } from '@verbslab/protocol';
import type { RunSession } from '../../connection/run-sessions';
import type { RunView } from '../../connection/run-view';

/** Props of every panel's content. `table`: show the figures instead of the chart. */
export interface PanelContentProps {
  view: RunView;
  session: RunSession;
  lab: LabDescription | null;
  table: boolean;
}
