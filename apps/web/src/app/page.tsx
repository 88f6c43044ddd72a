import { Doors } from '../home/doors';
import { Home } from '../home/home';
import { CATALOGUE } from '../labs/catalogue';

export default function Page() {
  return <Home doors={<Doors labs={CATALOGUE} />} />;
}
