'use client';
import Link from 'next/link';
import { useState, type ComponentProps } from 'react';

type PageLinkProps = Omit<ComponentProps<typeof Link>, 'prefetch'>;

/**
 * A link to another page. Its code is fetched when the pointer or the focus comes to the link: ahead of the click, and
 * not with every page that has the link.
 */
export function PageLink({ onPointerEnter, onFocus, ...props }: PageLinkProps) {
  const [near, setNear] = useState(false);
  return (
    <Link
      {...props}
      prefetch={near ? null : false}
      onPointerEnter={(e) => {
        setNear(true);
        onPointerEnter?.(e);
      }}
      onFocus={(e) => {
        setNear(true);
        onFocus?.(e);
      }}
    />
  );
}
