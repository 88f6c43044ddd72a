import { Doors } from '../home/doors';
import { Home } from '../home/home';
import { LateHero } from '../home/late-hero';
import { Starters } from '../home/starters';
import { CATALOG, CHECK_COUNTS, MAP } from '../labs/catalog';
import { sample } from '../model/picture/sample';
import { LabMap } from '../parts/labs/lab-map';
import { RecentRuns } from '../runs/recent-runs';

export default async function Page() {
  const write = await sample('write');
  return (
    <Home
      hero={<LateHero write={write} />}
      doors={<Doors />}
      starters={<Starters labs={CATALOG} />}
      map={<LabMap rows={MAP} />}
      checks={CHECK_COUNTS}
      recent={<RecentRuns />}
    />
  );
}
