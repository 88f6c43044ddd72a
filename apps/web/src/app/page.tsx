import { Doors } from '../home/doors';
import { Home } from '../home/home';
import { CATALOGUE, CHECK_COUNTS } from '../labs/catalogue';
import { RecentRuns } from '../runs/recent-runs';

export default function Page() {
  return <Home doors={<Doors labs={CATALOGUE} />} checks={CHECK_COUNTS} recent={<RecentRuns />} />;
}
