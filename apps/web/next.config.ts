import path from 'node:path';
import type { NextConfig } from 'next';

/** Static export: the agent serves apps/web/out, so nothing here may need a server of Next's own. */
const config: NextConfig = {
  output: 'export',
  reactStrictMode: true,
  poweredByHeader: false,
  images: { unoptimized: true },
  // Types are checked in lint (scripts/typecheck.mjs) by the native compiler, in a quarter of the time.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: path.join(import.meta.dirname, '../..') },
};

export default config;
