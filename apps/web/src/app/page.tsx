import { Doors } from '../home/doors';
import { Home } from '../home/home';
import { Starters } from '../home/starters';
import { CATALOGUE, CHECK_COUNTS, MAP } from '../labs/catalogue';
import { LabMap } from '../parts/labs/lab-map';
import { RecentRuns } from '../runs/recent-runs';

export default function Page() {
  return (
    <Home
      doors={<Doors />}
      starters={<Starters labs={CATALOGUE} />}
      map={<LabMap rows={MAP} />}
      checks={CHECK_COUNTS}
      recent={<RecentRuns />}
    />
  );
}
