import { Doors } from '../home/doors';
import { Home } from '../home/home';
import { CATALOGUE, CHECK_COUNTS } from '../labs/catalogue';

export default function Page() {
  return <Home doors={<Doors labs={CATALOGUE} />} checks={CHECK_COUNTS} />;
}
