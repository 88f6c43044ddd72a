import type { Metadata, Viewport } from 'next';
import localFont from 'next/font/local';
import type { ReactNode } from 'react';
import { Shell } from '../frame/shell';
import { CATALOG } from '../labs/catalog';
import '../styles/globals.css';

// Files of the fontsource packages, through next/font for the preload and the fallback metrics: no layout shift.
const inter = localFont({
  src: '../../../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-inter',
  display: 'swap',
});
const geistMono = localFont({
  src: '../../../../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-geist-mono',
  display: 'swap',
});

export const metadata: Metadata = {
  title: { default: 'Verbs Lab', template: '%s · Verbs Lab' },
  description: 'A laboratory and bench for RDMA in the browser.',
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f9fafb' },
    { media: '(prefers-color-scheme: dark)', color: '#0e1114' },
  ],
};

/** Titles only: the catalog itself would be in the code of every page. */
const LAB_TITLES = Object.fromEntries(CATALOG.map(({ id, title }) => [id, title]));

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" className={`${inter.variable} ${geistMono.variable}`} suppressHydrationWarning>
      <body>
        <Shell labTitles={LAB_TITLES}>{children}</Shell>
      </body>
    </html>
  );
}
