'use client';
import { useState } from 'react';

/** Copies a text. `said`: what to announce of it, `Copied` or why not. */
export function useCopy(refused = 'The browser did not allow copying.') {
  const [said, setSaid] = useState('');
  /** False when the clipboard cannot be written. */
  async function copy(text: string): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
      return true;
    } catch {
      setSaid(refused);
      return false;
    }
  }
  return { said, copied: said === 'Copied', copy };
}
