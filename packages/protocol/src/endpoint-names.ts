// No schemas here, as in result-values.ts.
import type { Role } from './lab-form.js';

/** Most endpoints of a role in a run. */
export const MAX_OF_ROLE = 64;

/** An endpoint of a run with its role. */
export interface EndpointName {
  name: string;
  title: string;
  role: string;
}

function countOf({ count }: Role, values: Readonly<Record<string, unknown>>): number {
  const wanted = typeof count === 'object' ? Number(values[count.param]) : (count ?? 1);
  return Number.isInteger(wanted) ? Math.min(MAX_OF_ROLE, Math.max(1, wanted)) : 1;
}

/** Endpoints that a run with these parameters opens, in the order of the roles. */
export function endpointNames(
  roles: readonly Role[],
  values: Readonly<Record<string, unknown>>,
): EndpointName[] {
  return roles.flatMap((role) =>
    role.count === undefined
      ? [{ name: role.name, title: role.title, role: role.name }]
      : Array.from({ length: countOf(role, values) }, (_, i) => ({
          name: `${role.name}-${i + 1}`,
          title: `${role.title} ${i + 1}`,
          role: role.name,
        })),
  );
}
