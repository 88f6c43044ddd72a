import { Home } from '../home/home';
import { CATALOGUE } from '../labs/catalogue';

export default function Page() {
  return <Home labs={CATALOGUE} />;
}
