import { buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';

export default function NotFound() {
  return (
    <div className="max-w-[60ch]">
      <h1 className="text-28 font-semibold">Page not found</h1>
      <p className="mt-2 mb-4 text-ink-2">The address may be mistyped, or the lab may have been renamed.</p>
      <PageLink href="/" className={buttonStyle({ kind: 'primary' })}>
        Go to home
      </PageLink>
    </div>
  );
}
