import { clsx, type ClassValue } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

// Our type scale is named by pixels; without this tailwind-merge takes text-13 for a colour.
const merge = extendTailwindMerge({
  extend: { classGroups: { 'font-size': [{ text: ['12', '13', '14', '16', '20', '28'] }] } },
});

export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
